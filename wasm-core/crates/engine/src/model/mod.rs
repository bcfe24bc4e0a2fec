//! Models beside the layers: closed forms and difference equations that need no packets.

pub mod dtm;
