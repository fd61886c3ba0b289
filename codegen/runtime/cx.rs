//! What a tool may ask of the call it is answering: was it cancelled, who calls, how to report progress.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

/// Where progress of a call goes.
pub trait ProgressSink: Send + Sync {
    /// Reports how far the call is. `total` is in the same unit as `progress` where it is known.
    fn report<'a>(
        &'a self,
        progress: f64,
        total: Option<f64>,
        message: Option<String>,
    ) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>>;
}

/// Who calls, as the peer named itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Peer {
    /// The program's name.
    pub name: String,
    /// The program's version.
    pub version: String,
}

/// The context of one call. It knows nothing of a transport, so that a test needs none.
///
/// ```
/// let cx = schemux::Cx::new();
/// assert!(!cx.cancelled().is_cancelled());
/// ```
#[derive(Clone, Default)]
pub struct Cx {
    cancelled: CancellationToken,
    progress: Option<Arc<dyn ProgressSink>>,
    peer: Option<Peer>,
}

impl Cx {
    /// A context that nobody cancels and that reports progress to nobody.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same context, cancelled when `token` is.
    #[must_use]
    pub fn with_cancellation(mut self, token: CancellationToken) -> Self {
        self.cancelled = token;
        self
    }

    /// The same context, with somebody who asked for progress.
    #[must_use]
    pub fn with_progress(mut self, sink: Arc<dyn ProgressSink>) -> Self {
        self.progress = Some(sink);
        self
    }

    /// The same context, with the peer that calls.
    #[must_use]
    pub fn with_peer(mut self, peer: Peer) -> Self {
        self.peer = Some(peer);
        self
    }

    /// Becomes cancelled when the caller no longer wants the answer.
    pub fn cancelled(&self) -> &CancellationToken {
        &self.cancelled
    }

    /// Where to report progress, if the caller asked for it.
    pub fn progress(&self) -> Option<&dyn ProgressSink> {
        self.progress.as_deref()
    }

    /// Who calls, where it is known.
    pub fn peer(&self) -> Option<&Peer> {
        self.peer.as_ref()
    }
}
