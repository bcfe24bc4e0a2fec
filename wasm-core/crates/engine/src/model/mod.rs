//! Models beside the floors: closed forms and difference equations that need no packets.

pub mod dtm;
