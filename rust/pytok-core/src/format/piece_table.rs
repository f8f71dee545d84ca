//! How the tables of a definition are written in JSON.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::de::{DeserializeSeed, Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::definition::{Base64Bytes, PieceTable, RankTable};

impl Serialize for PieceTable {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut by_id: Vec<(&str, u32)> = self.iter().collect();
        by_id.sort_by_key(|&(_, id)| id);
        serializer.collect_map(by_id)
    }
}

impl<'de> Deserialize<'de> for PieceTable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Table;
        impl<'de> Visitor<'de> for Table {
            type Value = PieceTable;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object of pieces and their ids")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<PieceTable, A::Error> {
                let mut table = PieceTable::default();
                let push = |table: &mut PieceTable, piece: &str| table.push_piece(piece);
                while map
                    .next_key_seed(Text {
                        to: &mut table,
                        push,
                    })?
                    .is_some()
                {
                    table.push_id(map.next_value()?);
                }
                table.shrink();
                Ok(table)
            }
        }
        deserializer.deserialize_map(Table)
    }
}

/// A string that goes to a table without one of its own.
pub(super) struct Text<'a, T> {
    pub(super) to: &'a mut T,
    /// Put it there; `false` when there is no room.
    pub(super) push: fn(&mut T, &str) -> bool,
}

impl<'de, T> DeserializeSeed<'de> for Text<'_, T> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<T> Visitor<'_> for Text<'_, T> {
    type Value = ();
    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a string")
    }
    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        match (self.push)(self.to, text) {
            true => Ok(()),
            false => Err(E::custom("expected less than 4 GB of pieces")),
        }
    }
}

impl Serialize for RankTable {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(
            self.0
                .iter()
                .map(|(bytes, rank)| (STANDARD.encode(bytes), rank)),
        )
    }
}

impl<'de> Deserialize<'de> for RankTable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::<(String, u32)>::deserialize(deserializer)?
            .into_iter()
            .map(|(text, rank)| Ok((decode(&text)?, rank)))
            .collect::<Result<_, _>>()
            .map(RankTable)
    }
}

impl Serialize for Base64Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Base64Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        decode(&String::deserialize(deserializer)?).map(Base64Bytes)
    }
}

fn decode<E: Error>(text: &str) -> Result<Vec<u8>, E> {
    STANDARD
        .decode(text)
        .map_err(|error| E::custom(format!("expected base64: {error}")))
}
