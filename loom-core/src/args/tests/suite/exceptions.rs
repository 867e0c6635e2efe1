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
        "the pattern needs what `regex-lite` does not have: classes of Unicode, `\\c`, blanks beyond ASCII",
        &[
            ("ecmascript-regex", "ECMA 262 \\s matches whitespace", 4),
            ("ecmascript-regex", "ECMA 262 regex escapes control codes with \\c and lower letter", 1),
            ("ecmascript-regex", "ECMA 262 regex escapes control codes with \\c and upper letter", 1),
            ("ecmascript-regex", "pattern with non-ASCII digits", 2),
            ("ecmascript-regex", "patternProperties with non-ASCII digits", 2),
            ("ecmascript-regex", "patterns always use unicode semantics with pattern", 3),
            ("ecmascript-regex", "patterns always use unicode semantics with patternProperties", 3),
            ("pattern", "pattern with Unicode property escape requires unicode mode", 2),
        ],
    ),
    (
        "a reference by `$id`, `$anchor`, `$dynamicAnchor` or to another document is not resolved, and what cannot be found takes nothing",
        &[
            ("anchor", "Location-independent identifier", 1),
            ("anchor", "Location-independent identifier with absolute URI", 1),
            ("anchor", "Location-independent identifier with base URI change in subschema", 1),
            ("anchor", "same $anchor with different base uri", 1),
            ("defs", "validate definition against metaschema", 1),
            ("dynamicRef", "$dynamicRef avoids the root of each schema, but scopes are still registered", 1),
            ("dynamicRef", "$dynamicRef skips over intermediate resources - direct reference", 1),
            (
                "dynamicRef",
                "A $dynamicRef resolves to the first $dynamicAnchor still in scope that is encountered when the schema is evaluated",
                1,
            ),
            (
                "dynamicRef",
                "A $dynamicRef that initially resolves to a schema with a matching $dynamicAnchor resolves to the first $dynamicAnchor in the dynamic scope",
                1,
            ),
            (
                "dynamicRef",
                "A $dynamicRef that initially resolves to a schema without a matching $dynamicAnchor behaves like a normal $ref to $anchor",
                1,
            ),
            (
                "dynamicRef",
                "A $dynamicRef with a non-matching $dynamicAnchor in the same schema resource behaves like a normal $ref to $anchor",
                1,
            ),
            (
                "dynamicRef",
                "A $dynamicRef with intermediate scopes that don't include a matching $dynamicAnchor does not affect dynamic scope resolution",
                1,
            ),
            (
                "dynamicRef",
                "A $dynamicRef without a matching $dynamicAnchor in the same schema resource behaves like a normal $ref to $anchor",
                1,
            ),
            ("dynamicRef", "A $dynamicRef without anchor in fragment behaves identical to $ref", 1),
            (
                "dynamicRef",
                "A $ref to a $dynamicAnchor in the same schema resource behaves like a normal $ref to an $anchor",
                1,
            ),
            (
                "dynamicRef",
                "An $anchor with the same name as a $dynamicAnchor is not used for dynamic scope resolution",
                1,
            ),
            ("ref", "$id must be resolved against nearest parent, not just immediate parent", 1),
            ("ref", "Recursive references between schemas", 1),
            ("ref", "URN base URI with URN and JSON pointer ref", 1),
            ("ref", "URN base URI with URN and anchor ref", 1),
            ("ref", "URN ref with nested pointer ref", 1),
            ("ref", "order of evaluation: $id and $anchor and $ref", 1),
            ("ref", "order of evaluation: $id and $ref", 1),
            ("ref", "order of evaluation: $id and $ref on nested schema", 1),
            ("ref", "ref to else", 1),
            ("ref", "ref to if", 1),
            ("ref", "ref to then", 1),
            ("ref", "ref with absolute-path-reference", 1),
            ("ref", "refs with relative uris and defs", 1),
            ("ref", "relative refs with absolute uris and defs", 1),
            ("ref", "remote ref, containing refs itself", 1),
            ("ref", "simple URN base URI with $ref via the URN", 1),
            ("unevaluatedItems", "unevaluatedItems with $dynamicRef", 1),
            ("unevaluatedProperties", "unevaluatedProperties with $dynamicRef", 1),
        ],
    ),
    (
        "an explicit `true` beside it, which declares all properties, does not count for `unevaluatedProperties`",
        &[
            ("unevaluatedProperties", "dynamic evalation inside nested refs", 2),
            ("unevaluatedProperties", "nested unevaluatedProperties, outer false, inner true, properties inside", 1),
            ("unevaluatedProperties", "nested unevaluatedProperties, outer false, inner true, properties outside", 1),
            ("unevaluatedProperties", "unevaluatedProperties with nested additionalProperties", 1),
            ("unevaluatedProperties", "unevaluatedProperties with nested unevaluatedProperties", 1),
        ],
    ),
    (
        "what `if`, `then`, `else` and `dependentSchemas` declare does not count as declared for `unevaluatedProperties`",
        &[
            ("unevaluatedProperties", "dependentSchemas with unevaluatedProperties", 1),
            ("unevaluatedProperties", "unevaluatedProperties can see annotations from if without then and else", 1),
            ("unevaluatedProperties", "unevaluatedProperties with dependentSchemas", 1),
            ("unevaluatedProperties", "unevaluatedProperties with if/then/else", 2),
            ("unevaluatedProperties", "unevaluatedProperties with if/then/else, else not defined", 1),
            ("unevaluatedProperties", "unevaluatedProperties with if/then/else, then not defined", 2),
        ],
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
            ("unevaluatedProperties", "unevaluatedProperties + ref inside allOf / oneOf", 2),
            ("unevaluatedProperties", "dynamic evalation inside nested refs", 10),
        ],
    ),
    (
        "`\\S` of `regex-lite` excludes the blanks of ASCII only",
        &[("ecmascript-regex", "ECMA 262 \\S matches everything but whitespace", 4)],
    ),
];
