//! Faults that are planted at places of a valid value, each of which is one problem.

use serde_json::{Map, Value, json};

use super::super::super::problem::pointer_to;
use super::spec::{Looks, Property, Spec, TAG};

/// Plants a fault at one place or more, at most at `most`, and gives the pointers of the problems that they are.
pub(super) fn plant(spec: &Spec, value: &mut Value, seeds: &[u8], most: usize) -> Vec<String> {
    let mut planter = Planter { seeds, at: 0, most, in_union: false, planted: Vec::new() };
    planter.visit(spec, value, "");
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
    /// The value at hand may be something else than what it is, too.
    in_union: bool,
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
        if self.seed() < 40 {
            *value = self.misfit(spec);
            return self.planted.push(pointer.to_owned());
        }
        self.in_union = false;
        self.inside(spec, value, pointer);
    }

    fn inside(&mut self, spec: &Spec, value: &mut Value, pointer: &str) {
        match (spec, value) {
            (Spec::Named(spec), value) => self.inside(spec, value, pointer),
            (Spec::Nullable(spec), value) if !value.is_null() => {
                self.in_union = true;
                self.inside(spec, value, pointer);
            }
            (Spec::Union(specs), value) if !value.is_null() => {
                let looks = looks(value);
                if let Some(spec) = specs.iter().find(|spec| spec.looks().contains(&looks)) {
                    self.in_union = true;
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
            // Beside other alternatives a wrong tag is a wrong object.
            0..=20 => {
                let place = if self.in_union { pointer.to_owned() } else { pointer_to(pointer, TAG) };
                entries.insert(TAG.to_owned(), json!("unheard-of"));
                self.planted.push(place);
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
        match spec {
            Spec::Integer { max: Some(max), .. } if *max < i64::MAX - 100 && self.seed() < 100 => {
                json!(max + 1 + i64::try_from(count).unwrap())
            }
            Spec::Integer { .. } if self.seed() < 100 => json!(f64::from(u32::try_from(count).unwrap()) + 0.5),
            Spec::Text { max: Some(max), .. } if self.seed() < 100 => {
                json!(format!("{count}{}", "?".repeat(max + 1)))
            }
            Spec::Named(spec) => self.misfit(spec),
            spec => {
                let looks = spec.looks();
                // Names are text, and no other text is one of them.
                let text = !looks.contains(&Looks::Text) || matches!(spec, Spec::Names(_) | Spec::Variants(_));
                let misfits = [
                    (text, json!(format!("?{count}"))),
                    (!looks.contains(&Looks::Number), json!(count)),
                    (!looks.contains(&Looks::List), json!([count])),
                    (!looks.contains(&Looks::Object), json!({"?": count})),
                    (!looks.contains(&Looks::Bool), json!(true)),
                ];
                let mut misfits: Vec<_> = misfits.into_iter().filter(|(misfit, _)| *misfit).map(|(_, v)| v).collect();
                let at = usize::from(self.seed()) % misfits.len();
                // There is one true only.
                let at = if misfits[at] == json!(true) { 0 } else { at };
                misfits.swap_remove(at)
            }
        }
    }
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
