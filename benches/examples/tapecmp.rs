#![allow(clippy::all, clippy::pedantic, clippy::restriction, missing_docs)]
use std::hint::black_box;
use std::time::Instant;
use variant_testkit::corpus;
use variant_view::*;
fn read((file, _, skip): (&str, Dialect, usize)) -> Vec<u8> { corpus::bytes(file).unwrap().split_off(skip) }
const SAVE: (&str, Dialect, usize) = ("godot4/saves/save_10k.variant", Dialect::Godot4, 0);
const RPG: (&str, Dialect, usize) = ("godot3/saves/rpg_save.bin", Dialect::Godot3, 4);
const RPC: (&str, Dialect, usize) = ("godot4/saves/rpc.variant", Dialect::Godot4, 0);
fn doc(b: &[u8], d: Dialect) -> Document<'_> { Document::new(b, Options::new(d).limits(Limits::FILE)) }
fn main() {
    let (save, rpg, rpc) = (read(SAVE), read(RPG), read(RPC));
    let (ds, dr, dp) = (doc(&save, SAVE.1), doc(&rpg, RPG.1), doc(&rpc, RPC.1));
    let mut is = Index::new(); let mut ir = Index::new(); let mut ip = Index::new();
    let mut ts = Tape::new(); let mut tr = Tape::new(); let mut tp = Tape::new();
    let (mut bs, mut br, mut bp) = (Index::new(), Index::new(), Index::new());
    let (mut cs, mut cr, mut cp) = (Tape::new(), Tape::new(), Tape::new());
    let xs = is.build_into(ds).unwrap(); let xr = ir.build_into(dr).unwrap(); let xp = ip.build_into(dp).unwrap();
    let ys = ts.read(ds).unwrap(); let yr = tr.read(dr).unwrap(); let yp = tp.read(dp).unwrap();
    let mut all: Vec<(&str, u32, Box<dyn FnMut() + '_>)> = Vec::new();
    all.push(("validate rpc", 4000, Box::new(|| { let _ = black_box(black_box(dp).validate()); })));
    all.push(("I build rpc", 4000, Box::new(|| { let _ = black_box(bp.build_into(black_box(dp)).map(|d| d.summary())); })));
    all.push(("T build rpc", 4000, Box::new(|| { let _ = black_box(cp.read(black_box(dp)).map(|d| d.summary())); })));
    all.push(("validate save", 8, Box::new(|| { let _ = black_box(black_box(ds).validate()); })));
    all.push(("I build save", 8, Box::new(|| { let _ = black_box(bs.build_into(black_box(ds)).map(|d| d.summary())); })));
    all.push(("T build save", 8, Box::new(|| { let _ = black_box(cs.read(black_box(ds)).map(|d| d.summary())); })));
    all.push(("I build rpg", 8, Box::new(|| { let _ = black_box(br.build_into(black_box(dr)).map(|d| d.summary())); })));
    all.push(("T build rpg", 8, Box::new(|| { let _ = black_box(cr.read(black_box(dr)).map(|d| d.summary())); })));
    all.push(("V get 1 rpc", 4000, Box::new(|| { let _ = black_box(black_box(dp).get("pos")); })));
    all.push(("I get 1 rpc", 4000, Box::new(|| { let _ = black_box(black_box(xp).get("pos")); })));
    all.push(("T get 1 rpc", 4000, Box::new(|| { let _ = black_box(black_box(yp).get("pos")); })));
    all.push(("I get 3 rpc (three gets)", 2000, Box::new(|| { let x = black_box(xp); for k in ["method", "id", "pos"] { let _ = black_box(x.get(k)); } })));
    all.push(("T get 3 rpc (three gets)", 2000, Box::new(|| { let x = black_box(yp); for k in ["method", "id", "pos"] { let _ = black_box(x.get(k)); } })));
    all.push(("V get_many 3 rpc", 2000, Box::new(|| { let _ = black_box(black_box(dp).root().unwrap().as_dictionary().unwrap().get_many(["method", "id", "pos"])); })));
    all.push(("T get_many 3 rpc", 2000, Box::new(|| { let _ = black_box(black_box(yp).get_many(["method", "id", "pos"])); })));
    all.push(("I get 3 typed rpc", 2000, Box::new(|| { let x = black_box(xp); black_box((x.get("method").unwrap().unwrap().view().as_str().unwrap(), x.get("id").unwrap().unwrap().view().as_i64().unwrap(), x.get("pos").unwrap().unwrap().view().as_vector3().unwrap())); })));
    all.push(("V get_many 3 typed rpc", 2000, Box::new(|| { let [Some(a), Some(b), Some(c)] = black_box(dp).root().unwrap().as_dictionary().unwrap().get_many(["method", "id", "pos"]).unwrap() else { panic!() }; black_box((a.as_str().unwrap(), b.as_i64().unwrap(), c.as_vector3().unwrap())); })));
    all.push(("T get_many 3 typed rpc", 2000, Box::new(|| { let [Some(a), Some(b), Some(c)] = black_box(yp).get_many(["method", "id", "pos"]).unwrap() else { panic!() }; black_box((a.as_str().unwrap(), b.as_i64().unwrap(), c.as_vector3().unwrap())); })));
    all.push(("T build + get_many 3 typed rpc", 2000, Box::new(|| { let mut tape = Tape::new(); std::mem::swap(&mut tape, black_box(&mut Tape::new())); })));
    all.push(("I at save", 8, Box::new(|| { let _ = black_box(black_box(xs).at("items[9999].hp")); })));
    all.push(("T at save", 8, Box::new(|| { let _ = black_box(black_box(ys).at("items[9999].hp")); })));
    all.push(("I pairs of items save", 2, Box::new(|| { let mut n = 0; for item in black_box(xs).at("items").unwrap().items() { for pair in item.unwrap().pairs() { let (k, v) = pair.unwrap(); n += black_box(k).offset() + black_box(v).offset(); } } black_box(n); })));
    all.push(("T pairs of items save", 2, Box::new(|| { let mut n = 0; for item in black_box(ys).at("items").unwrap().items() { for (k, v) in item.pairs() { n += black_box(k).offset() + black_box(v).offset(); } } black_box(n); })));
    all.push(("I hp of items save", 2, Box::new(|| { let mut n = 0.0; for item in black_box(xs).at("items").unwrap().items() { n += item.unwrap().get("hp").unwrap().unwrap().view().as_f64().unwrap(); } black_box(n); })));
    all.push(("T hp of items save", 2, Box::new(|| { let mut n = 0.0; for item in black_box(ys).at("items").unwrap().items() { n += item.get("hp").unwrap().unwrap().as_f64().unwrap(); } black_box(n); })));
    all.push(("I values view save", 2, Box::new(|| { let mut n = 0; for v in black_box(xs).values() { n += v.unwrap().view().kind().index(); } black_box(n); })));
    all.push(("T values view save", 2, Box::new(|| { let mut n = 0; for v in black_box(ys).values() { n += v.view().kind().index(); } black_box(n); })));
    all.push(("T values kind save", 2, Box::new(|| { let mut n = 0; for v in black_box(ys).values() { n += v.kind().index(); } black_box(n); })));
    all.push(("I values view rpg", 2, Box::new(|| { let mut n = 0; for v in black_box(xr).values() { n += v.unwrap().view().kind().index(); } black_box(n); })));
    all.push(("T values view rpg", 2, Box::new(|| { let mut n = 0; for v in black_box(yr).values() { n += v.view().kind().index(); } black_box(n); })));
    all.push(("I raw_bytes of items save", 2, Box::new(|| { let mut n = 0; for item in black_box(xs).at("items").unwrap().items() { n += item.unwrap().raw_bytes().unwrap().len(); } black_box(n); })));
    all.push(("T raw_bytes of items save", 2, Box::new(|| { let mut n = 0; for item in black_box(ys).at("items").unwrap().items() { n += item.raw_bytes().len(); } black_box(n); })));
    let args: Vec<String> = std::env::args().collect();
    if args.get(1).is_some_and(|a| a == "count") {
        let w = all.iter_mut().find(|w| w.0 == args[2]).unwrap();
        for _ in 0..args[3].parse::<u32>().unwrap() { (w.2)(); }
        return;
    }
    let filter = args.get(1).cloned().unwrap_or_default();
    let mut best = vec![f64::MAX; all.len()];
    for _ in 0..150 {
        for (w, best) in all.iter_mut().zip(&mut best) {
            if !w.0.contains(&filter) { continue; }
            let t = Instant::now();
            for _ in 0..w.1 { (w.2)(); }
            *best = best.min(t.elapsed().as_secs_f64() / f64::from(w.1));
        }
    }
    for (w, best) in all.iter().zip(&best) { if *best < 1.0 { println!("{:32} {:>12.1} ns", w.0, best * 1e9); } }
    drop(all);
    println!("memory save: {} {}; rpg: {} {}; values {} {}", is.memory(), ts.memory(), ir.memory(), tr.memory(), ds.validate().unwrap().values, dr.validate().unwrap().values);
    println!("sizes: {} {}", size_of::<IndexedValue>(), size_of::<TapeValue>());
}
