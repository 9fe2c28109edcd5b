//! The end of each command's help: examples and exit statuses.

use variant_document::query::GRAMMAR;

/// Examples, and the grammar of paths.
pub(super) fn with_paths(examples: &str) -> String {
    format!("{GRAMMAR}\n\n{examples}")
}

/// The grammar of columns, for people.
const COLUMNS: &str = "\
Columns, as NAME=WHAT:TYPE; the name is WHAT if there is none, the type is that of a sample:
  player.level        the value at a path; null where there is none
  items[*].id         of each item, which makes a row; columns of one table make rows of the same items
  key(players.*)      the key or the index of each item
  ..gold, list(..gold)    all values that a path selects
  sum(..gold)         one value of them: sum, min, max, count, first, last
  _file, _frame, _offset, _error, _value    what --with adds
Types:
  bool, int, float, text, bytes, RID
  json, plain-json    any value: with all that it is, as people write it
  Vector2, PackedFloat32Array    as the engine names them; Vector2(double) with reals of 64 bits
  list<int>, map<float>          arrays, dictionaries";

/// Examples, and the grammar of columns.
pub(super) fn with_columns(examples: &str) -> String {
    format!("{COLUMNS}\n\n{}", with_paths(examples))
}

/// The examples of each command, one per line, and its exit statuses.
macro_rules! examples {
    ($($name:ident { $($example:literal,)+ => $status:literal })+) => {
        $(pub(super) const $name: &str = concat!(
            "Examples:\n",
            $("  variant-inspect ", $example, "\n",)+
            "\nExit status: ", $status,
            ",\n2 the arguments are wrong or lack the dialect, 3 a file cannot be read or written,\n",
            "141 the reader of the output closed it."
        );)+
    };
}

examples! {
    TREE {
        "tree --depth 2 save.dat                    two levels only",
        "tree --at inventory[3] save.dat            one value",
        "tree --at 'blob.hp' --nested save.dat      through a byte array with a value inside",
        "tree --skip 4 --offsets level.dat          skip a version number of 4 bytes",
        => "0 all values printed, 1 a value is damaged"
    }
    BROWSE {
        "browse save.dat                            fold, search and change; ? lists the keys",
        "browse --password-env SECRET save.gdec     an encrypted save",
        "unwrap save.z -o - | variant-inspect browse -",
        => "0 left, 1 the file cannot be read as values"
    }
    DIFF {
        "diff old.dat new.dat                       + added, - removed, ~ changed: path and values",
        "diff old.dat new.gdec --password-file secret --at player",
        "diff --by id old.dat new.dat               items by their id, in any order",
        "diff --tolerance 0.001 --ignore '..time' old.dat new.dat",
        "diff --dialect godot3 --new-dialect godot4 old.dat new.dat",
        => "0 no differences, 1 differences, 4 a file is damaged"
    }
    CHECK {
        "check *.dat                                all files, on all cores",
        "check --limits server packet.bin           with the limits of a server",
        "check --profile canonical save.dat         only bytes that the engine would write",
        "check --all *.dat                          also scripts, leaked memory, odd values",
        "check --fail-on warning --json save.dat    one finding a line, for jq",
        "check --sarif *.dat > findings.sarif       for code hosts and editors",
        "check --schema save.schema.json *.dat      which values break a JSON Schema",
        "check --lock saves.lock -r saves           whether the saves still have the shape of the lock file",
        "check --lock saves.lock --allow added -r saves --junit > check.xml    for pipelines; accepts new keys",
        => "0 all files are valid, 1 a file is damaged or has a finding (the highest status of all files counts)"
    }
    DETECT {
        "detect packet.bin                          the likeliest engine, with reasons",
        "detect --scan level.dat                    every possible value in other data",
        "detect --scan --framing frames --dialect godot4 level.dat    one framing and dialect",
        => "0 decided, 1 no engine reads the bytes; with --scan: 0 values found, 1 none found"
    }
    CONVERT {
        "convert --to godot4 old.save -o new.save   keeps framing, compression and encryption",
        "convert --to godot4 --plain old.save -o -  without compression and encryption",
        "convert --to godot3 --strict new.save -o old.save    only if nothing is lost",
        => "0 written, 1 the file is damaged, or something is lost with --strict"
    }
    JSON {
        "json --form plain save.dat | jq .player    for jq and other tools",
        "json --form exact save.dat > save.json     restores the file byte for byte",
        => "0 all values printed, 1 a value is damaged"
    }
    FROM {
        "from save.json -o new.dat                  from the output of json --form exact",
        "from save.txt --like save.dat -o new.dat   with its framing, compression and encryption",
        "from lines.txt --like save.dat -o new.dat  lines of flatten; unchanged values keep their bytes",
        "flatten save.dat | sed 's/^gold = .*/gold = 99/' | variant-inspect from - --like save.dat -o new.dat",
        "from --dialect godot4 --to-framing frames value.txt -o new.dat",
        => "0 written, 1 the text cannot be read, or the dialect cannot hold a value"
    }
    TEXT {
        "text save.dat > save.txt                   to edit; from writes it back",
        "text --engine save.dat                     as the engine prints it, with six digits",
        => "0 all values printed, 1 a value is damaged"
    }
    UNWRAP {
        "unwrap --password-file secret save.gdec -o save.dat  the plain bytes",
        => "0 written, 1 the file is damaged or the key is wrong"
    }
    WRAP {
        "wrap --compress zstd save.dat -o new.dat   as open_compressed does",
        "wrap --encrypt godot4 --password-file secret save.dat -o save.gdec",
        => "0 written, 1 compression or encryption failed"
    }
    GET {
        "get save.dat player.level                  one value",
        "get save.dat 'inventory[*].name' '..gold'  many; tree and text print the path of each",
        "get save.dat 'inventory[?count<10]' --as json | jq .name",
        "get save.dat thumbnail --as raw > thumbnail.bin",
        => "0 values found, 1 none found or a value is damaged"
    }
    KEYS {
        "keys save.dat                              the keys of the root",
        "keys save.dat player 'items[*]'            of other containers",
        => "0 keys printed, 1 a path is not found or a value is damaged"
    }
    FLATTEN {
        "flatten save.dat | grep gold               lines of path = literal",
        "flatten save.dat > a; flatten new.dat | diff a -",
        => "0 all values printed, 1 a value is damaged"
    }
    GREP {
        "grep sword saves/*.dat                     file, path, offset and value of each match",
        "grep -c -i '^boss_' -r saves               a count for each file",
        "grep -l -F 'res://' *.dat                  the names of files with a match",
        => "0 something found, 1 nothing found"
    }
    HEX {
        "hex save.dat player.level                  the bytes of one value",
        "hex save.dat --offset 1042                 path, value and part of byte 1042 of the file",
        "hex save.dat --offset 0x400                the same in hexadecimal",
        => "0 printed, 1 a path is not found or a value is damaged"
    }
    SET {
        "set save.dat player.level 38               the old file is kept as save.dat~",
        "set save.dat player.name --string Ann player.position 'Vector3(1, 2, 3)'",
        "set save.dat 'inventory[*].count' 0 --dry-run        prints only the changes",
        "set save.gdec --password-file secret player.xp 9999  stays encrypted",
        => "0 written, 1 the path is not found, the file is damaged or cannot hold the value"
    }
    INSERT {
        "insert save.dat player.title '\"Sir\"'     a new key",
        "insert save.dat 'items[+]' '{\"id\": 7}'   after the last element",
        "insert save.dat 'items[0]' null            before the first",
        => "0 written, 1 the container is not found, or has the key already"
    }
    DELETE {
        "delete save.dat player.curse               a pair",
        "delete save.dat 'items[?broken==true]'     all elements that match",
        => "0 written, 1 the path is not found or the file is damaged"
    }
    RENAME_KEY {
        "rename-key save.dat player.level rank      the value stays as it is",
        => "0 written, 1 the path is not found, or the key is taken"
    }
    SALVAGE {
        "salvage broken.dat                         which bytes are lost, and where",
        "salvage broken.dat -o new.dat              and a file of the undamaged values",
        => "0 nothing is lost, 1 there are holes (the output is written all the same)"
    }
    FUZZ_SAVE {
        "fuzz-save save.dat --in . --run godot3-server --path game --save={}",
        "fuzz-save save.dat --as 'godot/app_userdata/My Game/save.dat' --in . --until loaded --run godot3-server --path game",
        "fuzz-save save.dat --older v1.dat --older v2.dat --runs 1000 --time 3600 -o found --run /opt/game/game {}",
        => "0 the game loads every save, 1 there are findings, or the game fails on the unchanged save"
    }
    MCP {
        "mcp --allow saves                          tools that read the files of a folder",
        "mcp --allow-write saves                    and change them; the old file is kept as FILE~",
        "mcp --allow-debug                          and set properties of a running game",
        "mcp --allow saves --password-file secret   also encrypted files",
        => "0 the client closed the connection, 1 the client cannot be served"
    }
    MERGE {
        "merge save.dat unlocks.dat -o new.dat      keys of unlocks.dat replace keys",
        => "0 written, 1 a file is damaged, or the dialect cannot hold a value"
    }
    MIGRATE {
        "migrate steps.toml saves/*.dat             old files are kept as FILE~; newest ones stay as they are",
        "migrate steps.toml old.dat --dry-run       prints only the changes",
        "migrate steps.toml old.dat -o new.dat      keeps framing, compression and encryption",
        "migrate steps.toml --test fixtures/        saves of every version, in memory",
        => "0 written or nothing to do, 1 a step or a schema failed, or a file is damaged"
    }
    EDIT {
        "edit save.dat                              opens $VISUAL or $EDITOR on the text",
        "edit --json save.dat                       on exact JSON",
        => "0 written or nothing changed, 1 the text was given up or the editor failed"
    }
    COMPLETIONS {
        "completions bash > ~/.local/share/bash-completion/completions/variant-inspect",
        "completions zsh > ~/.zfunc/_variant-inspect",
        => "0 printed"
    }
    MAN {
        "man set | man -l -                         the page of a command",
        "man --dir ~/.local/share/man/man1          all pages, for man variant-inspect-set",
        => "0 printed or written"
    }
    STATS {
        "stats save.dat                             the largest parts",
        "stats --depth 5 --limit 3 save.dat         more steps, fewer lines",
        "stats -r saves | tail -n 1                 all files of a folder, summed up",
        => "0 all files summed up, 1 a value is damaged"
    }
    SCHEMA {
        "schema saves/*.dat                         keys of all files, and keys of some",
        "schema --rust save.dat > save.rs           structs that read and write saves",
        "schema --gdscript save.dat > save.gd       classes for the engine",
        "schema --typescript save.dat > save.ts     also --python",
        "schema --json-schema save.dat > schema.json    describes json --form plain",
        "schema --drift old.dat new.dat             changes from one file to the next",
        "schema --lock -r saves > saves.lock        a line for each path, for check --lock",
        => "0 printed, 1 a value is damaged; with --drift, a shape changed"
    }
    TABLE {
        "table saves/ -o saves.parquet              the columns of a sample of the files",
        "table 'saves/**/*.sav' --columns \"level=player.level:int, meta.slot\" -o saves.parquet",
        "table saves/ --columns \"name=player.name, items[*].id\" -o items.csv    a row for each item",
        "table saves/ --infer -o columns.json       to change, and for --schema columns.json",
        "table saves/ --schema columns.json --partition-by meta.slot -o saves --format parquet",
        => "0 written (values that do not fit are reported), 1 a file is damaged (the output is written all the same)"
    }
    LISTEN {
        "debug listen                               waits for a game on port 6007, and prints what it prints",
        "debug listen -- godot3-server --path game  starts the game",
        "debug listen --fail-on error --until 'all tests done' --timeout 60 --report junit=out.xml -- godot --headless",
        "debug listen --json | jq 'select(.type == \"finding\")'",
        => "0 the game ended, or printed the line of --until, 1 it did not, or there is a finding of --fail-on"
    }
    SESSION {
        "debug session -- godot3-server --path game     reads orders from standard input; help lists them",
        "debug session --do 'break main.gd:33' --do wait --do vars --do step --do continue -- godot3-server --path game",
        "debug session orders.txt                   one order a line, # begins a comment",
        => "0 all orders done, 1 an order failed or the game ended"
    }
    NODES {
        "debug tree -- godot3-server --path game    all nodes: path, class, id",
        "debug tree --when 'level loaded' --find Enemy -- godot3-server --path game",
        => "0 printed, 1 the node is not found, or the game does not answer"
    }
    INSPECT {
        "debug inspect /root/Main -- godot3-server --path game",
        "debug inspect Main hp bag.gold             two properties of the only node with this name",
        => "0 printed, 1 the node or a property is not found, or the game does not answer"
    }
    SET_NODE {
        "debug set Main hp 42 --leave -- godot3-server --path game",
        "debug set Player position 'Vector2(1, 2)'",
        "debug set Main bag.gold 99                 the rest of the value stays",
        => "0 set, 1 the node or the property is not found, or has another value afterwards"
    }
    EVAL {
        "debug eval 'hp * 2' --at main.gd:33 -- godot --headless --path game",
        => "0 printed, 1 the engine cannot evaluate, or the expression is wrong"
    }
    BREAK {
        "debug break main.gd:33 -- godot3-server --path game    runs to the line, prints stack and variables",
        => "0 stopped, 1 the game ended before"
    }
    STEP {
        "debug step --at main.gd:33 -- godot3-server --path game    runs to the line, and one line further",
        => "0 done, 1 the game ended before"
    }
    STACK {
        "debug stack --at main.gd:33 -- godot3-server --path game",
        => "0 printed, 1 the game ended before, or has no stack"
    }
    VARS {
        "debug vars --at main.gd:33 -- godot3-server --path game    locals, members, globals",
        "debug vars beat local_list[0] --at main.gd:33",
        => "0 printed, 1 the game ended before, or has no such variable"
    }
    PROFILE {
        "debug profile 10 -- godot3-server --path game      functions by their own time",
        "debug profile 10 --sort calls --csv -- godot3-server --path game > profile.csv",
        => "0 printed, 1 the game does not answer"
    }
    SEND {
        "debug send mine:ask 1 '\"text\"' 'Vector2(1, 2)'",
        => "0 sent, 1 the engine has no such messages, or would end"
    }
    WATCH {
        "debug watch mine: --for 10 --json          messages whose name begins with mine:",
        => "0 ended, 1 the game ended before"
    }
    UNTIL {
        "debug until 'server ready' --leave -- godot3-server --path game",
        => "0 printed, 1 the game ended before"
    }
    WAIT {
        "debug wait -- godot3-server --path game    until a script error or a breakpoint",
        => "0 done, 1 the game ended before"
    }
    RECORD {
        "debug record -o run.variant -- godot3-server --path game",
        "tree --nested run.variant                  frames with their values",
        "table run.variant -o run.parquet           a row for each frame",
        => "0 written, 1 the bytes are not those of an engine's debugger"
    }
    REPLAY {
        "debug replay run.variant                   to the editor, which must listen on port 6007",
        "debug replay run.variant --speed 0 --to 127.0.0.1:6010    as fast as possible",
        => "0 all frames sent, 1 the file is not a recording, or the editor has closed the connection"
    }
    PROXY {
        "debug proxy --port 6010 -o run.variant     a game on port 6010, an editor on port 6007",
        "debug proxy -o run.variant -- godot3-server --path game",
        => "0 the conversation has ended"
    }
    UI {
        "debug ui -- godot3-server --path game      ? lists the keys",
        => "0 left"
    }
    DEBUG {
        "debug listen --fail-on error -- godot3-server --path game     for pipelines",
        "debug break main.gd:33 -- godot3-server --path game           stack and variables at a line",
        "debug tree -- godot3-server --path game                       the nodes of a running game",
        "debug ui                                                      a game that connects to port 6007",
        => "0 done, 1 it failed, or there is a finding of --fail-on"
    }
}
