//! The end of each command's help: examples and exit statuses.

/// The examples of a command, one per line, and its exit statuses.
macro_rules! examples {
    ($name:ident, [$($example:literal),+], $status:literal) => {
        pub(super) const $name: &str = concat!(
            "Examples:\n",
            $("  variant-inspect ", $example, "\n",)+
            "\nExit status: ", $status,
            ",\n2 wrong usage or the dialect cannot be detected, 3 a file cannot be read or written,\n",
            "141 the reader of the output closed it."
        );
    };
}

examples! {
    TREE,
    [
        "tree --depth 2 save.dat                    two levels only",
        "tree --at player.items[3] save.dat         one value",
        "tree --at 'blob.hp' --nested save.dat      through a byte array with a value inside",
        "tree --skip 4 --offsets level.dat          skip a version number of 4 bytes"
    ],
    "0 all values printed, 1 a value is damaged"
}
examples! {
    VALIDATE,
    [
        "validate *.dat                             all files, on all cores",
        "validate --limits server packet.bin        with the limits of a server",
        "validate --profile canonical save.dat      only bytes that the engine would write"
    ],
    "0 all files are valid, 1 a file is damaged (the highest status of all files counts)"
}
examples! {
    DETECT,
    ["detect packet.bin                          the likeliest engine, with reasons"],
    "0 decided, 1 no engine reads the bytes"
}
examples! {
    CONVERT,
    [
        "convert --to godot4 old.save -o new.save   keeps framing, compression and encryption",
        "convert --to godot4 --plain old.save -o -  without compression and encryption",
        "convert --to godot3 --strict new.save -o old.save    only if nothing is lost"
    ],
    "0 written, 1 the file is damaged, or something is lost with --strict"
}
examples! {
    JSON,
    [
        "json --form plain save.dat | jq .player    for jq and other tools",
        "json --form exact save.dat > save.json     restores the file byte for byte"
    ],
    "0 all values printed, 1 a value is damaged"
}
examples! {
    FROM_JSON,
    [
        "from-json save.json -o new.dat             from the output of json --form exact",
        "from-json --dialect godot4 --to-framing frames value.json -o new.dat"
    ],
    "0 written, 1 the input is not JSON of this form"
}
examples! {
    TEXT,
    [
        "text save.dat > save.txt                   to edit; from-text writes it back",
        "text --engine save.dat                     as the engine prints it, with six digits"
    ],
    "0 all values printed, 1 a value is damaged"
}
examples! {
    FROM_TEXT,
    [
        "from-text save.txt --like save.dat -o new.dat        with its framing, compression and encryption",
        "from-text --dialect godot4 --to-framing frames save.txt -o new.dat"
    ],
    "0 written, 1 the input has no valid literals"
}
examples! {
    SCAN,
    [
        "scan level.dat                             every possible value",
        "scan --framing frames --dialect godot4 level.dat     one framing and dialect"
    ],
    "0 values found, 1 none found"
}
examples! {
    REENCODE,
    [
        "reencode save.dat                          is the result equal byte for byte?",
        "reencode --canonical save.dat              and would the engine write the same bytes?"
    ],
    "0 identical, 1 different or damaged"
}
examples! {
    UNWRAP,
    ["unwrap --password-file secret save.gdec -o save.dat  the plain bytes"],
    "0 written, 1 the file is damaged or the key is wrong"
}
examples! {
    WRAP,
    [
        "wrap --compress zstd save.dat -o new.dat   as open_compressed does",
        "wrap --encrypt godot4 --password-file secret save.dat -o save.gdec"
    ],
    "0 written, 1 compression or encryption failed"
}
