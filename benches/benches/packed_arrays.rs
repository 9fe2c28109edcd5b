//! The cost of reading text, and the elements of packed arrays.

#![allow(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::expect_used,
    missing_docs,
    reason = "a benchmark may panic"
)]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use variant_bench::inputs::Input;
use variant_bench::shapes;
use variant_bench::{Time as _, configuration};
use variant_testkit::builder::Builder;
use variant_view::{Dialect, Document, Result, Vector3};

/// Creates the view of a packed array. The cost does not depend on the array's length.
fn packed(c: &mut Criterion) {
    let mut group = c.benchmark_group("packed");
    for count in [1_000_u32, 1_000_000, 10_000_000] {
        let payload = vec![0; usize::try_from(count).expect("fits").saturating_mul(4)];
        let bytes = Builder::new().u32(32).u32(count).raw(&payload).build().bytes;
        let document = Document::new(&bytes, Dialect::Godot4);
        group.bench_function(format!("open_{count}_floats"), |b| {
            b.iter(|| black_box(document).root()?.as_float32s().map(|packed| packed.as_native()));
        });
    }
}

fn elements(c: &mut Criterion) {
    let count = 1_000_000_u32;
    let floats: Vec<u8> = (0..count).flat_map(|n| (f64::from(n) as f32).to_le_bytes()).collect();
    let bytes = Builder::new().u32(32).u32(count).raw(&floats).build().bytes;
    // The elements do not start at a multiple of four.
    let shifted = [&[0_u8], bytes.as_slice()].concat();
    let mut group = c.benchmark_group("packed_elements");
    group.throughput(Throughput::Elements(count.into()));
    let document = Document::new(&bytes, Dialect::Godot4);
    let aligned = document.root().and_then(|root| root.as_float32s()).expect("valid");
    group.time("sum_aligned", || black_box(aligned).as_native().map(|all| all.iter().sum::<f32>()));
    let document = Document::new(shifted.get(1..).unwrap_or_default(), Dialect::Godot4);
    let unaligned = document.root().and_then(|root| root.as_float32s()).expect("valid");
    group.time("sum_unaligned", || black_box(unaligned).iter().sum::<f32>());
    group.time("copy", || black_box(unaligned).iter().collect::<Vec<_>>());
}

/// Reads a large array of vectors, as in a mesh or a path.
fn vectors(c: &mut Criterion) {
    let input = shapes::vectors(300_000);
    let document = input.document();
    let all = document.root().and_then(|root| root.as_vector3s()).expect("valid");
    let mut group = c.benchmark_group("vector3_300k");
    group.time("open", || {
        black_box(document).root()?.as_vector3s().map(|packed| packed.as_native())
    });
    group.throughput(Throughput::ElementsAndBytes { elements: 300_000, bytes: input.len() });
    group.time("sum_native", || black_box(all).as_native().map(|all| sum(all.iter().copied())));
    group.time("sum_by_value", || sum(black_box(all).iter()));
    group.time("copy", || black_box(all).iter().collect::<Vec<_>>());
}

fn sum(vectors: impl Iterator<Item = Vector3>) -> Vector3 {
    let zero = Vector3 { x: 0.0, y: 0.0, z: 0.0 };
    vectors.fold(zero, |sum, v| Vector3 { x: sum.x + v.x, y: sum.y + v.y, z: sum.z + v.z })
}

/// Validates texts, and reads them. Both check that a text is UTF-8.
fn strings(c: &mut Criterion) {
    const COUNT: u32 = 100_000;
    let mut group = c.benchmark_group("strings_100k");
    for (letters, alphabet) in [("ascii", shapes::ASCII), ("non_ascii", shapes::OTHER)] {
        for input in shapes::strings(COUNT.try_into().expect("fits"), alphabet) {
            let bytes = input.len();
            group.throughput(Throughput::ElementsAndBytes { elements: COUNT.into(), bytes });
            group.bench_function(format!("validate/{}_{letters}", input.name), |b| {
                b.iter(|| black_box(input.document()).validate());
            });
            group.bench_function(format!("as_str/{}_{letters}", input.name), |b| {
                b.iter(|| text_len(black_box(&input)));
            });
        }
    }
}

/// Reads each text in a packed array or in an array.
fn text_len(input: &Input) -> Result<usize> {
    let root = input.document().root()?;
    if let Ok(texts) = root.as_strings() {
        return texts.iter().map(|text| text.to_str().map(str::len)).sum();
    }
    root.as_array()?.into_iter().map(|text| text?.as_str().map(str::len)).sum()
}

criterion_group! {
    name = benches;
    config = configuration();
    targets = packed, elements, vectors, strings
}
criterion_main!(benches);
