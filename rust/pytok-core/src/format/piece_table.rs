//! How the tables of a definition are written in JSON.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::definition::{Base64Bytes, PieceTable, RankTable};

impl Serialize for PieceTable {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut by_id: Vec<(&str, u32)> = self.0.iter().map(|(p, id)| (p.as_str(), *id)).collect();
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
                let mut pieces = Vec::with_capacity(map.size_hint().unwrap_or(0));
                while let Some(entry) = map.next_entry::<String, u32>()? {
                    pieces.push(entry);
                }
                Ok(PieceTable(pieces))
            }
        }
        deserializer.deserialize_map(Table)
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
