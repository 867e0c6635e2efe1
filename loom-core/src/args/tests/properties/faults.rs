//! Faults that are planted at places of a valid value, each of which is one problem.

use serde_json::{Map, Value, json};

use super::super::super::path::pointer_to;
use super::spec::{Looks, Property, Spec, TAG};

/// Plants a fault at one place or more, at most at `most`, and gives the pointers of the problems that they are.
pub(super) fn plant(spec: &Spec, value: &mut Value, seeds: &[u8], most: usize) -> Vec<String> {
    let mut planter = Planter { seeds, at: 0, most, planted: Vec::new() };
    // Inside first: a fault of the whole value leaves room for no other.
    planter.inside(spec, value, "");
    if planter.planted.is_empty() {
        *value = planter.misfit(spec);
        planter.planted.push(String::new());
    }
    planter.planted
}

struct Planter<'s> {
    seeds: &'s [u8],
    at: usize,
    most: usize,
    planted: Vec<String>,
}

impl Planter<'_> {
    fn seed(&mut self) -> u8 {
        self.at += 1;
        self.seeds.get(self.at % self.seeds.len().max(1)).copied().unwrap_or_default()
    }

    fn is_done(&self) -> bool {
        self.planted.len() >= self.most
    }

    fn visit(&mut self, spec: &Spec, value: &mut Value, pointer: &str) {
        if self.is_done() {
            return;
        }
        // Rarely at each place, so that faults come to stand deep inside as well.
        if self.seed() < 64 {
            *value = self.misfit(spec);
            return self.planted.push(pointer.to_owned());
        }
        self.inside(spec, value, pointer);
    }

    fn inside(&mut self, spec: &Spec, value: &mut Value, pointer: &str) {
        match (spec, value) {
            (Spec::Named(spec), value) => self.inside(spec, value, pointer),
            (Spec::Nullable(spec), value) if !value.is_null() => self.inside(spec, value, pointer),
            (Spec::Union(specs), value) if !value.is_null() => {
                let looks = looks(value);
                if let Some(spec) = specs.iter().find(|spec| spec.looks().contains(&looks)) {
                    self.inside(spec, value, pointer);
                }
            }
            (Spec::List { item, .. }, Value::Array(items)) => {
                for (index, value) in items.iter_mut().enumerate() {
                    self.visit(item, value, &format!("{pointer}/{index}"));
                }
            }
            (Spec::Tuple(specs), Value::Array(items)) => {
                for (index, (spec, value)) in specs.iter().zip(items).enumerate() {
                    self.visit(spec, value, &format!("{pointer}/{index}"));
                }
            }
            (Spec::Map(spec), Value::Object(entries)) => {
                for (key, value) in entries.iter_mut() {
                    self.visit(spec, value, &pointer_to(pointer, key));
                }
            }
            (Spec::Object(properties), Value::Object(entries)) => self.object(properties, entries, pointer),
            (Spec::Tagged(variants), Value::Object(entries)) => self.tagged(variants, entries, pointer),
            (Spec::Variants(variants), Value::Object(entries)) => {
                for (name, value) in entries.iter_mut() {
                    let variant = variants.iter().find(|(variant, _)| variant == name);
                    let data = variant.and_then(|(_, data)| data.as_ref()).unwrap();
                    self.visit(data, value, &pointer_to(pointer, name));
                }
            }
            _ => {}
        }
    }

    fn object(&mut self, properties: &[Property], entries: &mut Map<String, Value>, pointer: &str) {
        for property in properties {
            if let Some(value) = entries.get_mut(&property.name) {
                self.visit(&property.spec, value, &pointer_to(pointer, &property.name));
            }
        }
        self.names(properties, entries, pointer);
    }

    /// Without the tag, nothing can be said of the rest.
    fn tagged(&mut self, variants: &[(String, Vec<Property>)], entries: &mut Map<String, Value>, pointer: &str) {
        match self.seed() {
            0..=20 => {
                entries.insert(TAG.to_owned(), json!("unheard-of"));
                self.planted.push(pointer_to(pointer, TAG));
            }
            21..=40 => {
                entries.remove(TAG);
                self.planted.push(pointer.to_owned());
            }
            _ => {
                let variant = variants.iter().find(|(tag, _)| entries[TAG] == *tag);
                self.object(&variant.unwrap().1, entries, pointer);
            }
        }
    }

    /// A required name that is missing, and a name too many.
    fn names(&mut self, properties: &[Property], entries: &mut Map<String, Value>, pointer: &str) {
        let missing = properties.iter().find(|property| {
            let inside = pointer_to(pointer, &property.name);
            let below = format!("{inside}/");
            // What has a fault inside has to stay.
            property.required && !self.planted.iter().any(|p| *p == inside || p.starts_with(&below))
        });
        if let Some(missing) = missing
            && !self.is_done()
            && self.seed() < 50
        {
            entries.remove(&missing.name);
            self.planted.push(pointer.to_owned());
        }
        if !self.is_done() && self.seed() < 50 {
            entries.insert(format!("unheard-of {}", self.planted.len()), json!(null));
            self.planted.push(pointer.to_owned());
        }
    }

    /// A value that does not fit and that nothing is made of; different from every other.
    fn misfit(&mut self, spec: &Spec) -> Value {
        let count = self.planted.len();
        let mut misfits = near_misses(spec, count);
        if misfits.is_empty() || self.seed() < 128 {
            misfits = other_kinds(spec, count);
        }
        let at = usize::from(self.seed()) % misfits.len();
        misfits.swap_remove(at)
    }
}

/// Values of kinds that the schema does not take.
fn other_kinds(spec: &Spec, count: usize) -> Vec<Value> {
    let looks = spec.looks();
    // Names are text, and no other text is one of them.
    let text = !looks.contains(&Looks::Text) || matches!(spec, Spec::Names(_) | Spec::Variants(_));
    let misfits = [
        (text, json!(format!("?{count}"))),
        (!looks.contains(&Looks::Number), json!(count)),
        (!looks.contains(&Looks::List), json!([count])),
        (!looks.contains(&Looks::Object), json!({"?": count})),
    ];
    let misfits: Vec<_> = misfits.into_iter().filter(|(misfit, _)| *misfit).map(|(_, value)| value).collect();
    // There is one true only; it is for what takes everything else.
    if misfits.is_empty() { vec![json!(true)] } else { misfits }
}

/// Values that nearly fit, of which nothing is made all the same.
fn near_misses(spec: &Spec, count: usize) -> Vec<Value> {
    let beyond = i64::try_from(count).unwrap() + 1;
    match spec {
        Spec::Integer { min, max } => {
            let mut misses: Vec<_> =
                ["?,000", "0x?", "+?", "0?", "?e2", "? km", "?.5", "1_?", "--?"].map(|t| text(t, count)).into();
            misses.push(json!(f64::from(u32::try_from(count).unwrap()) + 0.5));
            for out in [max.and_then(|max| max.checked_add(beyond)), min.and_then(|min| min.checked_sub(beyond))] {
                misses.extend(out.iter().flat_map(|out| [json!(out), json!(out.to_string())]));
            }
            misses
        }
        Spec::Number { min, max } => {
            let mut misses: Vec<_> = ["?,5", "0x?", "+?", "?.", "9?e400", "? km", ".?"].map(|t| text(t, count)).into();
            misses.extend([json!("NaN"), json!("inf")]);
            for out in [max.map(|max| i64::from(max) + beyond), min.map(|min| i64::from(min) - beyond)] {
                misses.extend(out.iter().flat_map(|out| [json!(out), json!(format!("{out}.25"))]));
            }
            misses
        }
        Spec::Bool => {
            let words = ["yes", "no", "on", "off", "1", "0", "tRUE", " true", "true?", "t", ""];
            words.map(Value::from).into_iter().chain([json!(0), json!(1)]).collect()
        }
        Spec::Text { min, max } => {
            let long = max.map(|max| json!(format!("{count}{}", "?".repeat(max))));
            // There is one empty text only.
            let short = (*min > 0 && count == 0).then(|| json!(""));
            long.into_iter().chain(short).collect()
        }
        Spec::Names(names) => names.iter().map(|name| json!(format!("{name}{count}?"))).collect(),
        Spec::List { .. } | Spec::Tuple(_) => ["[?", "[?]]", "(?)", "{\"?\":[]}"].map(|t| text(t, count)).into(),
        Spec::Map(_) | Spec::Object(_) => ["{?", "{\"?\":}", "[?]"].map(|t| text(t, count)).into(),
        Spec::Nullable(spec) | Spec::Named(spec) => near_misses(spec, count),
        Spec::Union(_) | Spec::Tagged(_) | Spec::Variants(_) => Vec::new(),
    }
}

/// The text with a number in it that makes it different from others.
fn text(text: &str, count: usize) -> Value {
    text.replace('?', &count.to_string()).into()
}

fn looks(value: &Value) -> Looks {
    match value {
        Value::Bool(_) => Looks::Bool,
        Value::Number(_) => Looks::Number,
        Value::String(_) => Looks::Text,
        Value::Array(_) => Looks::List,
        Value::Object(_) | Value::Null => Looks::Object,
    }
}
