//! Reads JSON values into the types of the document.
//!
//! `serde_json` does the same and takes lists for structs, too, and `serde` keeps what it has seen of a tagged object in a form of
//! its own: both double the code that is made for every type, a tenth of the module that a page fetches. What comes here has
//! passed the rules of the schema already, which word the faults.

use serde::de::value::{MapDeserializer, SeqDeserializer, StringDeserializer};
use serde::de::{DeserializeOwned, Deserializer, EnumAccess, Error as _, IntoDeserializer, VariantAccess, Visitor};
use serde::{Deserialize, forward_to_deserialize_any};
use serde_json::{Error, Map, Value};

/// Reads a value.
///
/// # Errors
/// What is wrong with it, in words for programmers.
pub fn read<T: DeserializeOwned>(value: Value) -> Result<T, Error> {
    T::deserialize(Reader(value))
}

/// The value of a `kind` of something: `{ "kind": "fixed", "bytes": 1 }` is read as the variant `fixed` of an enum.
pub(super) fn read_by_kind<'de, D: Deserializer<'de>, T>(
    value: D,
    read: impl FnOnce(Reader) -> Result<T, Error>,
) -> Result<T, D::Error> {
    let mut fields = Map::deserialize(value)?;
    let kind = fields.remove("kind").and_then(|kind| kind.as_str().map(String::from));
    let kind = kind.ok_or_else(|| D::Error::missing_field("kind"))?;
    let variant = Map::from_iter([(kind, Value::Object(fields))]);
    read(Reader(Value::Object(variant))).map_err(D::Error::custom)
}

/// Defines an enum of the document whose variants are told apart by their field `kind`. The name is given twice: as text, too.
macro_rules! by_kind {
    ($text:literal, $(#[$meta:meta])* pub enum $name:ident { $($body:tt)* }) => {
        $(#[$meta])*
        #[derive(serde::Serialize, schemars::JsonSchema)]
        #[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase", deny_unknown_fields)]
        pub enum $name { $($body)* }

        const _: () = {
            #[derive(serde::Deserialize, schemars::JsonSchema)]
            #[serde(
                remote = $text,
                rename_all = "kebab-case",
                rename_all_fields = "camelCase",
                deny_unknown_fields
            )]
            enum Read { $($body)* }

            impl<'de> serde::Deserialize<'de> for $name {
                fn deserialize<D: serde::Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
                    $crate::scenario::document::reading::read_by_kind(value, |variant| Read::deserialize(variant))
                }
            }
        };
    };
}
pub(super) use by_kind;

/// A value to be read.
pub(super) struct Reader(Value);

impl<'de> IntoDeserializer<'de, Error> for Reader {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Reader {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Array(_) => self.deserialize_seq(visitor),
            Value::Object(_) => self.deserialize_map(visitor),
            Value::String(text) => visitor.visit_string(text),
            Value::Bool(is) => visitor.visit_bool(is),
            Value::Number(number) => number.deserialize_any(visitor),
            Value::Null => visitor.visit_unit(),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.0.deserialize_bool(visitor)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.0.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.0.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let Value::Array(elements) = self.0 else { return Err(Error::custom("is no list")) };
        visitor.visit_seq(SeqDeserializer::new(elements.into_iter().map(Reader)))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let Value::Object(fields) = self.0 else { return Err(Error::custom("is no object")) };
        visitor.visit_map(MapDeserializer::new(fields.into_iter().map(|(name, value)| (name, Reader(value)))))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_map(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.0 {
            Value::String(name) => visitor.visit_enum(Variant { name, fields: None }),
            Value::Object(fields) => match fields.into_iter().next() {
                Some((name, fields)) => visitor.visit_enum(Variant { name, fields: Some(Reader(fields)) }),
                None => Err(Error::custom("names no variant")),
            },
            _ => Err(Error::custom("is no variant")),
        }
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char string bytes byte_buf unit unit_struct tuple tuple_struct
        identifier ignored_any
    }
}

/// A variant of an enum, with its fields if it has any.
struct Variant {
    name: String,
    fields: Option<Reader>,
}

impl<'de> EnumAccess<'de> for Variant {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<S: serde::de::DeserializeSeed<'de>>(mut self, seed: S) -> Result<(S::Value, Self), Error> {
        let name: StringDeserializer<Error> = std::mem::take(&mut self.name).into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'de> VariantAccess<'de> for Variant {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        match self.fields {
            Some(Reader(Value::Object(fields))) if !fields.is_empty() => Err(Error::custom("has no fields")),
            _ => Ok(()),
        }
    }

    fn newtype_variant_seed<S: serde::de::DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Error> {
        seed.deserialize(self.fields.ok_or_else(|| Error::custom("has a value"))?)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("is an object"))
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, Error> {
        self.fields.ok_or_else(|| Error::custom("has fields"))?.deserialize_map(visitor)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::scenario::document::{Shape, Size, Traffic};

    #[test]
    fn an_enum_is_told_apart_by_its_kind() {
        let size = json!({ "kind": "fixed", "bytes": 4096 });
        assert_eq!(read::<Size>(size.clone()).unwrap(), Size::Fixed { bytes: 4096 });
        let traffic = json!({ "kind": "closed-loop", "outstanding": 2, "size": size });
        assert_eq!(serde_json::to_value(read::<Traffic>(traffic.clone()).unwrap()).unwrap()["size"], traffic["size"]);
        let shape = json!({ "kind": "dumbbell", "senders": 1, "receivers": 2 });
        let Shape::Dumbbell { switches, .. } = read(shape).unwrap() else { panic!("it is a dumbbell") };
        assert_eq!(switches, 2, "what is left out has its default");
    }

    #[test]
    fn what_is_none_of_a_type_is_refused() {
        for wrong in [
            json!({ "bytes": 1 }),
            json!({ "kind": 1, "bytes": 1 }),
            json!({ "kind": "other", "bytes": 1 }),
            json!({ "kind": "fixed" }),
            json!({ "kind": "fixed", "bytes": "1" }),
            json!({ "kind": "fixed", "bytes": 1, "more": 1 }),
            json!([1]),
            json!(null),
        ] {
            assert!(read::<Size>(wrong.clone()).is_err(), "{wrong}");
        }
    }
}
