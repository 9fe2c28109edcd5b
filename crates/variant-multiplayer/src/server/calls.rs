//! Methods of [`Network`] that call clients' methods, and [`Network::send_bytes`], which sends raw bytes whose meaning
//! the program defines.

use std::sync::Arc;

use super::audience::Audience;
use super::network::Network;
use super::send_error::SendError;
use crate::packet::{Message, Packet};
use crate::rpc::NodeRef;
use crate::rpc_writer::{RpcWriter, WriteError};
use crate::transport::Delivery;

impl Network {
    /// Calls a method of the clients' nodes, as `rpc` and `rpc_id` do. `arguments` is a tuple, a struct, or `()`, and is
    /// written once. O(bytes + peers).
    ///
    /// # Errors
    /// [`SendError`]; nothing is sent then.
    #[cfg(feature = "serde")]
    pub fn rpc<T: serde::Serialize + ?Sized>(
        &mut self,
        audience: impl Into<Audience>,
        node: &str,
        method: &str,
        arguments: &T,
    ) -> Result<(), SendError> {
        self.rpc_with(audience, node, method, |call| call.arguments(arguments))
    }

    /// [`Network::rpc`] with arguments that are written one by one. Costs the same.
    ///
    /// # Errors
    /// [`SendError`]; nothing is sent then.
    pub fn rpc_with<F>(
        &mut self,
        audience: impl Into<Audience>,
        node: &str,
        method: &str,
        write: F,
    ) -> Result<(), SendError>
    where
        F: for<'b, 'n> FnOnce(RpcWriter<'b, 'n>) -> Result<RpcWriter<'b, 'n>, WriteError>,
    {
        let entry = self.nodes.get(node).ok_or_else(|| SendError::UnknownNode(node.into()))?;
        let entry = Arc::clone(entry);
        let (id, method) = entry
            .named(method)
            .ok_or_else(|| SendError::UnknownMethod { node: node.into(), method: method.into() })?;
        let own = self.cache.own_id(node).ok_or(SendError::NoIds)?;
        let mut by_id = Vec::new();
        write(RpcWriter::new(NodeRef::id(own), id, &mut by_id))?.finish()?;
        let mut forms = Forms { by_id: by_id.into(), by_path: None };
        for peer in self.receivers(&audience.into()) {
            let is_confirmed = self.introduce(peer, node).ok_or(SendError::NoIds)?;
            let bytes = if is_confirmed { forms.by_id.clone() } else { forms.by_path(node) };
            self.send(peer, bytes, method.delivery);
        }
        Ok(())
    }

    /// Sends raw bytes, as the engine's `send_bytes` does. Empty `bytes` are not sent. O(bytes + peers).
    pub fn send_bytes(&mut self, audience: impl Into<Audience>, bytes: &[u8], delivery: Delivery) {
        if bytes.is_empty() {
            return;
        }
        let packet: Arc<[u8]> = Packet::new(Message::Raw(bytes)).to_vec().into();
        for peer in self.receivers(&audience.into()) {
            self.send(peer, Arc::clone(&packet), delivery);
        }
    }
}

/// A call in two forms: for peers that have confirmed the id of the node, and for peers that have not.
struct Forms {
    by_id: Arc<[u8]>,
    by_path: Option<Arc<[u8]>>,
}

impl Forms {
    fn by_path(&mut self, path: &str) -> Arc<[u8]> {
        let by_id = &self.by_id;
        self.by_path.get_or_insert_with(|| named_by_path(by_id, path)).clone()
    }
}

/// The same call, with the path of the node instead of its id. The call parses, since this side has written it.
fn named_by_path(call: &[u8], path: &str) -> Arc<[u8]> {
    match Packet::parse(call) {
        Ok(Packet { message: Message::Rpc(mut rpc), .. }) => {
            rpc.node = NodeRef::Path(path);
            Packet::new(Message::Rpc(rpc)).to_vec().into()
        }
        _ => call.into(),
    }
}
