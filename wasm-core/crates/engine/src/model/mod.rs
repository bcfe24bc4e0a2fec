//! Models beside the layers: closed forms and difference equations that need no packets.

pub mod decomposition;
pub mod dtm;
pub mod server;
