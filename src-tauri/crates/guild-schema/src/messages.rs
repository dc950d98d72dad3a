//! Messages about schemas, and about values that don't match them.

#![expect(missing_docs, reason = "the messages document the variants")]

mod schema;
mod value;

pub use self::schema::{Cut, SchemaNote, SchemaPlace};
pub use self::value::{
    AllowedValues, ClosestBranch, Condition, FormName, Kinds, PartProblem, PropertyNameSets,
    Repeated, ValueProblem, ValueSize,
};

#[cfg(test)]
mod tests;
