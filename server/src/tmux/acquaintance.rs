//! Is this still the server whose ids were told?
//!
//! tmux counts ids from 0 in every server. So after a restart on the same socket `%1` is another pane, and whoever learned the id
//! before must not type into it. What is remembered is the server whose ids were last told to somebody; an id counts only
//! there. Who looks at what an id means now has been told, and so has whoever was refused once for that reason: ids can also
//! be learned elsewhere, and a caller that may never go on is of no use.

use std::sync::{Mutex, PoisonError};

use super::choice::Identity;
use super::error::TmuxError;
use super::server::Server;

/// The server whose ids were told last.
#[derive(Debug, Default)]
pub(crate) struct Acquaintance(Mutex<Option<Identity>>);

impl Server {
    /// Notes that ids of this server are being told to somebody.
    ///
    /// # Errors
    ///
    /// As for [`Self::facts`].
    pub async fn introduce(&self) -> Result<(), TmuxError> {
        let now = self.identity().await?;
        self.set_acquaintance(now);
        Ok(())
    }

    /// Checks that an id which was told can still mean the same. Where none was told, and for a handle that only looks, it
    /// counts as told now.
    ///
    /// # Errors
    ///
    /// [`TmuxError::Restarted`]; as for [`Self::facts`].
    pub async fn recognize(&self) -> Result<(), TmuxError> {
        let now = self.identity().await?;
        let told = self.acquaintance().0.lock().unwrap_or_else(PoisonError::into_inner).replace(now);
        match told {
            Some(told) if told != now && !self.looks() => Err(TmuxError::Restarted),
            _ => Ok(()),
        }
    }

    fn set_acquaintance(&self, identity: Identity) {
        *self.acquaintance().0.lock().unwrap_or_else(PoisonError::into_inner) = Some(identity);
    }
}
