//! What of the suite is not as it should be, and why.

/// A file, a group of it, and how many of its instances.
pub(super) type Exception = (&'static str, &'static str, usize);

/// Valid instances that are refused or changed, by reason.
pub(super) const NOT_TAKEN: &[(&str, &[Exception])] = &[
    (
        "1.0 becomes 1, which is the same number: integer types read nothing else",
        &[("type", "integer type matches integers", 1)],
    ),
    (
        "an integer is written with an exponent, and is larger than what a double holds exactly",
        &[("float-overflow", "all integers are multiples of 0.5, if overflow is handled", 1)],
    ),
    (
        "an integer of more than 64 bits would lose digits in the value that a foreign tool gets",
        &[("bignum", "integer", 2), ("bignum", "minimum integer comparison", 1)],
    ),
    (
        "a schema of its own language switches keywords off",
        &[("vocabulary", "schema that uses custom metaschema with with no validation vocabulary", 1)],
    ),
];

/// Invalid instances that only the validator refuses though the plan compiles every keyword, by reason.
pub(super) const LEFT_TO_THE_VALIDATOR: &[(&str, &[Exception])] = &[
    (
        "that more than one alternative of `oneOf` holds is no reason to refuse: types never ask for it",
        &[
            ("oneOf", "oneOf", 1),
            ("oneOf", "oneOf with base schema", 1),
            ("oneOf", "oneOf with boolean schemas, all true", 1),
            ("oneOf", "oneOf with boolean schemas, more than one true", 1),
            ("oneOf", "oneOf complex types", 1),
            ("oneOf", "oneOf with empty schema", 1),
            ("oneOf", "oneOf with required", 1),
            ("oneOf", "oneOf with missing optional property", 1),
        ],
    ),
    (
        "a name that the plan cannot match against a pattern is anybody's",
        &[
            ("ecmascript-regex", "patternProperties with non-ASCII digits", 1),
            ("ecmascript-regex", "patterns always use unicode semantics with patternProperties", 1),
        ],
    ),
    (
        "the schema stands in another document",
        &[("defs", "validate definition against metaschema", 1), ("ref", "remote ref, containing refs itself", 1)],
    ),
];
