//! What the fast path has to know of one value, found out once.

use std::collections::HashSet;

use super::{Id, Kind, Node, Plan};

/// How deep references and unions are followed to find out what a value begins with; beyond it may begin with anything.
const DEPTH: usize = 8;

/// What the fast path does with the value of one parameter.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Guide {
    /// The node that describes the value.
    pub(in super::super) node: Id,
    starts: u8,
    pub(in super::super) look: Look,
    /// A text that is no value may spell one: a number, a boolean or null is declared, and nothing else is said.
    pub(in super::super) spells: bool,
}

/// When the value is walked along the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Look {
    /// Only where reading it leaves a doubt.
    InDoubt,
    /// After it was read: its schema asks for something that deserialising does not check.
    After,
    /// Before it is read. It has to be kept until it is known which alternative it is, and serde tries one after the
    /// other, which for types that nest takes exponentially long: the walk looks first, and stops in time.
    Before,
}

impl Plan {
    /// The guide for values that the node describes.
    pub(in super::super) fn guide(&self, id: Id) -> Guide {
        let mut look = if self.foreign { Look::Before } else { Look::InDoubt };
        let (mut open, mut seen) = (vec![id], HashSet::new());
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            let node = self.node(id);
            if node.unions.iter().any(|union| self.buffers(union)) {
                look = Look::Before;
                break;
            }
            if node.beyond_serde {
                look = Look::After;
            }
            open.extend(node.inner());
        }
        Guide { node: id, starts: self.starts(id, 0), look, spells: self.node(id).is_spelled() }
    }

    /// The guide for the root's property of this name.
    pub(in super::super) fn guide_of_property(&self, name: &str) -> Guide {
        match self.node(Self::ROOT).property(name) {
            Some(id) => self.guide(id),
            // Of a property that is not declared nothing can be said, and the walk says so.
            None => Guide { node: Self::ROOT, starts: 0, look: Look::Before, spells: false },
        }
    }

    /// Whether a value of this union is kept until it is known which alternative it is.
    fn buffers(&self, union: &[Id]) -> bool {
        let objects = union.iter().filter_map(|&id| self.as_object(id));
        objects.filter(|node| node.only_name().is_none()).count() > 1
    }

    /// The bits of the kinds that the node takes.
    fn starts(&self, id: Id, depth: usize) -> u8 {
        let node = self.node(id);
        if node.never {
            return 0;
        }
        let mut bits = node.kinds.as_ref().map_or(u8::MAX, |kinds| kinds.iter().map(|kind| bit(*kind)).fold(0, or));
        if depth < DEPTH {
            for &id in &node.all {
                bits &= self.starts(id, depth + 1);
            }
            for union in &node.unions {
                bits &= union.iter().map(|&id| self.starts(id, depth + 1)).fold(0, or);
            }
        }
        bits
    }
}

impl Guide {
    /// Whether a value that begins with this byte may fit.
    pub(in super::super) const fn takes(&self, first: u8) -> bool {
        let kind = match first {
            b'n' => Kind::Null,
            b't' | b'f' => Kind::Boolean,
            b'"' => Kind::String,
            b'[' => Kind::Array,
            b'{' => Kind::Object,
            _ => Kind::Number,
        };
        self.starts & bit(kind) != 0
    }
}

const fn or(a: u8, b: u8) -> u8 {
    a | b
}

const fn bit(kind: Kind) -> u8 {
    match kind {
        Kind::Null => 1,
        Kind::Boolean => 1 << 1,
        Kind::Integer | Kind::Number => 1 << 2,
        Kind::String => 1 << 3,
        Kind::Array => 1 << 4,
        Kind::Object => 1 << 5,
    }
}

impl Node {
    /// Whether a text may spell what the node takes, and its kinds and bounds are all that there is to check.
    fn is_spelled(&self) -> bool {
        let scalar = |kind: &Kind| matches!(kind, Kind::Integer | Kind::Number | Kind::Boolean | Kind::Null);
        self.kinds.as_ref().is_some_and(|kinds| kinds.iter().all(scalar))
            && !self.never
            && self.choices.is_none()
            && self.all.is_empty()
            && self.unions.is_empty()
            && self.not.is_empty()
    }

    /// Every node that describes this value or one inside it, a step away.
    fn inner(&self) -> impl Iterator<Item = Id> + '_ {
        let named = self.properties.iter().map(|(_, id)| *id).chain(self.patterns.iter().map(|(_, id)| *id));
        let additional = match self.additional {
            super::Additional::Schema(id) => Some(id),
            _ => None,
        };
        let listed = self.items.into_iter().chain(self.prefix.iter().copied()).chain(additional);
        let beside = self.all.iter().chain(self.unions.iter().flatten()).chain(&self.not).copied();
        named.chain(listed).chain(beside)
    }
}
