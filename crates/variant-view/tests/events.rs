//! Documents as producers: their events agree with their views.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test may stop")]
#![allow(clippy::arithmetic_side_effects, clippy::panic, reason = "a test may stop")]

use std::collections::BTreeMap;

use variant_testkit::corpus;
use variant_view::{
    ArrayHead, Consumer, Dialect, DictionaryHead, Document, Error, ErrorKind, Event, FeedError,
    Head, KeyRule, Kind, Leaf, Limit, LimitError, Limited, Limits, Node, NodePathLeaf,
    NodePathView, ObjectForm, ObjectHead, Options, Origin, Producer, Role, VariantView, Width,
};

/// The received events as text, and whether their order was valid.
#[derive(Default)]
struct Log {
    lines: Vec<String>,
    /// The bytes of all events, concatenated.
    bytes: Vec<u8>,
    /// The open containers: kind, claimed and received items, and whether a name is due.
    open: Vec<(Kind, usize, usize, bool)>,
    is_complete: bool,
    /// The number of lines after which events are refused.
    enough: Option<usize>,
}

impl Log {
    fn add(&mut self, line: String) -> Result<(), usize> {
        if self.enough.is_some_and(|enough| self.lines.len() >= enough) {
            return Err(self.lines.len());
        }
        self.lines.push(line);
        Ok(())
    }

    fn value(&mut self) {
        assert!(!self.is_complete, "one value, and no more");
        match self.open.last_mut() {
            Some((kind, _, items, is_named)) => {
                assert_eq!(*kind == Kind::Object, *is_named, "a name for each property");
                (*items, *is_named) = (*items + 1, false);
            }
            None => self.is_complete = true,
        }
    }
}

impl Consumer for Log {
    type Error = usize;

    const WANTS_ORIGINS: bool = true;

    fn leaf(&mut self, leaf: Leaf<'_>) -> Result<(), usize> {
        self.value();
        self.add(said(&leaf))
    }

    fn enter(&mut self, head: Head<'_>) -> Result<(), usize> {
        self.value();
        self.is_complete = false;
        let per_entry = if head.kind() == Kind::Dictionary { 2 } else { 1 };
        self.open.push((head.kind(), head.len().unwrap() * per_entry, 0, false));
        self.add(format!("{head:?}"))
    }

    fn name(&mut self, name: &[u8]) -> Result<(), usize> {
        let (kind, _, _, is_named) = self.open.last_mut().unwrap();
        assert_eq!((*kind, *is_named), (Kind::Object, false));
        *is_named = true;
        self.add(format!("name {name:?}"))
    }

    fn exit(&mut self) -> Result<(), usize> {
        let (_, claimed, items, is_named) = self.open.pop().unwrap();
        assert_eq!((claimed, false), (items, is_named));
        self.is_complete = self.open.is_empty();
        self.add("exit".to_owned())
    }

    fn origin(&mut self, origin: Origin<'_>) {
        assert_eq!(origin.offset, self.bytes.len(), "each event stands behind the one before");
        self.bytes.extend_from_slice(origin.bytes);
    }
}

fn said(leaf: &Leaf<'_>) -> String {
    match leaf {
        Leaf::Numbers(numbers) => {
            let bytes = numbers.as_wire_bytes().unwrap();
            assert_eq!(bytes.len(), numbers.wire_len());
            format!("{} {:?} {bytes:?}", numbers.kind(), numbers.width())
        }
        Leaf::Strings(texts) => format!("{:?}", texts.iter().collect::<Vec<_>>()),
        Leaf::NodePath(NodePathLeaf::Names { names, subnames, is_absolute, has_property }) => {
            let [names, subnames] = [names, subnames].map(|all| all.iter().collect::<Vec<_>>());
            format!("{names:?} {subnames:?} {is_absolute} {has_property}")
        }
        Leaf::NodePath(NodePathLeaf::Plain(path)) => format!("plain {path:?}"),
        other => format!("{other:?}"),
    }
}

/// The same from a walk.
fn walked(document: &Document<'_>) -> (Vec<String>, Option<Error>) {
    let mut lines = Vec::new();
    for event in document.walk() {
        let node = match event {
            Ok(Event::Leaf(node) | Event::Enter(node)) => node,
            Ok(Event::Exit { .. }) => {
                lines.push("exit".to_owned());
                continue;
            }
            Err(error) => return (lines, Some(error)),
        };
        if let Role::Property(_, name) = node.role() {
            lines.push(format!("name {:?}", name.as_bytes()));
        }
        lines.push(viewed(&node));
    }
    (lines, None)
}

fn viewed(node: &Node<'_>) -> String {
    use VariantView as V;
    let kind = node.view.kind();
    match &node.view {
        V::Nil(_) => "Nil".to_owned(),
        V::Bool(v) => format!("Bool({})", v.value()),
        V::Int(v) => format!("Int {{ value: {}, width: {:?} }}", v.value(), v.width()),
        V::Float(v) => format!("Float {{ bits: {}, width: {:?} }}", v.bits(), v.width()),
        V::String(v) | V::StringName(v) => format!("{kind}({:?})", v.as_bytes()),
        V::Rid(v) => format!("Rid({})", v.value()),
        V::Callable(_) => "Callable".to_owned(),
        V::Signal(v) => {
            let name = v.name().as_bytes();
            format!("Signal {{ name: {name:?}, object_id: {} }}", v.object_id())
        }
        V::Image(v) => format!(
            "Image(ImageLeaf {{ format: {}, mipmaps: {}, width: {}, height: {}, data: {:?} }})",
            v.format(),
            v.mipmaps(),
            v.width(),
            v.height(),
            v.data()
        ),
        V::InputEvent(v) => {
            let (event, device, payload) = (v.event(), v.device(), v.payload());
            format!("InputEvent {{ event: {event}, device: {device}, payload: {payload:?} }}")
        }
        V::NodePath(v) => node_path(v),
        V::PackedStringArray(v) => {
            format!("{:?}", v.iter().map(|text| text.as_bytes()).collect::<Vec<_>>())
        }
        other if kind.shape().is_some() => numbers(other),
        other => container(other),
    }
}

fn node_path(path: &NodePathView<'_>) -> String {
    if let Some(plain) = path.plain() {
        return format!("plain {:?}", plain.as_bytes());
    }
    let [names, subnames] = [path.names(), path.subnames()]
        .map(|names| names.map(|name| name.as_bytes()).collect::<Vec<_>>());
    let is_godot2 = path.dialect() == Dialect::Godot2;
    let has_property = path.has_property() && is_godot2 && !subnames.is_empty();
    format!("{names:?} {subnames:?} {} {has_property}", path.is_absolute())
}

/// The numbers by the typed views.
fn numbers(view: &VariantView<'_>) -> String {
    use VariantView as V;
    macro_rules! of {
        ($($packed:ident)*; $($reals:ident)*; $($math:ident)*) => {
            match view {
                $(V::$packed(v) => (Width::W32, v.as_bytes()),)*
                $(V::$reals(v) => match v.as_f32() {
                    Some(narrow) => (Width::W32, narrow.as_bytes()),
                    None => (Width::W64, v.as_f64().unwrap().as_bytes()),
                },)*
                $(V::$math(v) => (v.width(), v.raw_bytes().get(4..).unwrap()),)*
                _ => (Width::W32, view.raw_bytes().unwrap().get(4..).unwrap()),
            }
        };
    }
    let (width, bytes) = of!(
        PackedByteArray PackedInt32Array PackedInt64Array PackedFloat32Array PackedFloat64Array
        PackedVector2iArray PackedVector3iArray PackedVector4iArray PackedColorArray;
        PackedVector2Array PackedVector3Array PackedVector4Array;
        Vector2 Rect2 Vector3 Transform2D Vector4 Plane Quaternion Aabb Basis Transform3D Projection
    );
    format!("{} {width:?} {bytes:?}", view.kind())
}

fn container(view: &VariantView<'_>) -> String {
    use VariantView as V;
    match view {
        V::Array(v) | V::TypedArray(v) | V::PackedTypedArray(v) => {
            let kind = view.kind();
            let element_type = v.element_type().map(|name| name.as_bytes());
            let (is_shared, len) = (v.is_shared(), Some(v.len()));
            format!("{:?}", Head::Array(ArrayHead { kind, element_type, is_shared, len }))
        }
        V::Dictionary(v) => {
            let [key_type, value_type] =
                [v.key_type(), v.value_type()].map(|of| of.map(|name| name.as_bytes()));
            let (is_shared, rule) = (v.is_shared(), Some(KeyRule::of(v.dialect())));
            let len = Some(v.len());
            let head = DictionaryHead { key_type, value_type, is_shared, rule, len };
            format!("{:?}", Head::Dictionary(head))
        }
        V::Object(v) => match v.form() {
            ObjectForm::Null => "NullObject".to_owned(),
            ObjectForm::Id(id) => format!("ObjectId({id})"),
            ObjectForm::Full(class) => {
                let (class, rule) = (class.as_bytes(), Some(KeyRule::of(v.dialect())));
                let len = Some(v.len());
                format!("{:?}", Head::Object(ObjectHead { class, rule, len }))
            }
        },
        other => panic!("no container: {other:?}"),
    }
}

fn fed(document: &Document<'_>) -> (Log, Option<Error>) {
    let mut log = Log::default();
    let error = match document.feed(&mut log) {
        Ok(()) => None,
        Err(FeedError::Producer(error)) => Some(error),
        Err(FeedError::Consumer(_)) => panic!("it takes everything"),
    };
    (log, error)
}

#[test]
fn every_record() {
    for (dialect, path) in corpus::every_record_file() {
        for case in corpus::read_cases(&path).unwrap() {
            let document = Document::new(&case.bytes, Options::new(dialect));
            let (log, error) = fed(&document);
            let found = (log.lines, error);
            assert_eq!(found, walked(&document), "{}:{}", path.display(), case.line);
            if error.is_some() {
                continue;
            }
            assert!(log.is_complete && log.open.is_empty());
            let mut walker = document.walk();
            walker.by_ref().for_each(drop);
            assert_eq!(
                log.bytes,
                case.bytes.split_at(walker.offset()).0,
                "no byte belongs to no event"
            );

            let mut own = Log::default();
            document.root().unwrap().feed(&mut own).unwrap();
            assert_eq!((own.lines, own.bytes), (found.0, log.bytes));
        }
    }
}

#[test]
fn what_a_consumer_refuses_ends_it() {
    // [null, [null]]
    let bytes = [19, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 19, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0];
    let document = Document::new(&bytes, Dialect::Godot3);
    for enough in 0..6 {
        let mut log = Log { enough: Some(enough), ..Log::default() };
        assert_eq!(document.feed(&mut log), Err(FeedError::Consumer(enough)));
        assert_eq!(log.lines.len(), enough);
    }
    let mut log = Log { enough: Some(6), ..Log::default() };
    assert_eq!(document.feed(&mut log), Ok(()));
}

/// The adapter stops a producer without limits where a document's reader stops.
#[test]
fn limits_mean_the_same_for_any_producer() {
    let unlimited = Limits::FILE.depth(u32::MAX);
    let mut exceeded = BTreeMap::new();
    for (dialect, path) in corpus::record_files() {
        // A few records of each file: the others are alike.
        for case in corpus::read_cases(&path).unwrap().into_iter().step_by(17) {
            let document = Document::new(&case.bytes, Options::new(dialect).limits(unlimited));
            let Ok(summary) = document.validate() else { continue };
            let depths = [0, 1, 2, summary.depth.saturating_sub(1), summary.depth]
                .map(|depth| unlimited.depth(depth));
            let values = [0, 1, 2, summary.values - 1, summary.values]
                .map(|values| unlimited.values(values));
            for limits in depths.into_iter().chain(values) {
                let limited = Document::new(&case.bytes, Options::new(dialect).limits(limits));
                let expected = limited.validate().err().map(|error| error.kind());
                let mut consumer = Limited::new(Log::default(), limits);
                let found = document.feed(&mut consumer).err().map(|error| match error {
                    FeedError::Consumer(LimitError::Depth(_)) => Limit::Depth,
                    FeedError::Consumer(LimitError::Values(_)) => Limit::Values,
                    other => panic!("{other:?}"),
                });
                *exceeded.entry(format!("{found:?}")).or_insert(0) += 1;
                let found = found.map(|limit| ErrorKind::LimitExceeded { limit });
                assert_eq!(found, expected, "{}:{}", path.display(), case.line);
            }
        }
    }
    assert!(exceeded.len() == 3 && exceeded.values().all(|count| *count > 100), "{exceeded:?}");
}

#[test]
fn inputs_are_known_beforehand() {
    let bytes = [19, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0];
    let document = Document::new(&bytes, Dialect::Godot3);
    assert_eq!(document.input().dialect, Some(Dialect::Godot3));
    assert_eq!(document.input().max_values, Some(3));
    assert_eq!(document.root().unwrap().input().dialect, Some(Dialect::Godot3));
}
