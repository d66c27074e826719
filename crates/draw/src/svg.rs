//! Writing SVG: elements with attributes, text, paths.
//!
//! Every picture of this crate is written through this module, so that text is escaped in one place, numbers are short
//! and the same on every machine, and a picture reads on light and on dark pages: [`Svg`] carries a small style sheet
//! whose ink, paper and colours follow the reader's choice.
//!
//! | class            | what it gives                                                       |
//! |------------------|---------------------------------------------------------------------|
//! | `soft`           | the fill of secondary text                                          |
//! | `rule`, `frame`  | the stroke of grid lines; of axes and frames                        |
//! | `paper`, `card`  | the fill of the background; of panels on it                         |
//! | `gap`            | a stroke of the paper's colour, to part neighbouring shapes         |
//! | `k0` to `k7`     | the colour of the n-th thing shown; draw it with `currentColor`     |
//!
//! ```
//! use repertoire_draw::svg::{Svg, rect, text};
//!
//! let mut picture = Svg::new(120.0, 40.0).titled("Health");
//! picture.push(rect(10.0, 10.0, 80.0, 12.0).series(2));
//! picture.push(text(10.0, 34.0, "80 < 100").class("soft"));
//! let written = picture.finish();
//! assert!(written.contains("80 &lt; 100") && written.ends_with("</svg>\n"));
//! ```

use std::fmt::Display;

/// Colours of series on light and dark paper. They differ in lightness too, so that a grey print tells most apart.
pub const SERIES: [(&str, &str); 8] = [
    ("#1f6fd0", "#6aa9f4"),
    ("#c8500e", "#f0935a"),
    ("#15803d", "#5cc684"),
    ("#8a3fd1", "#be92f2"),
    ("#a87900", "#e0bd4a"),
    ("#0e8a96", "#4fc3cf"),
    ("#c2306f", "#f07fae"),
    ("#6b5b4b", "#b7a594"),
];

/// What is not of a series: a selector, a property, its value on light paper and on dark.
const TONES: [(&str, &str, &str, &str); 7] = [
    ("svg", "fill", "#1d2329", "#e8ecef"),
    (".soft", "fill", "#5d6872", "#a0abb5"),
    (".rule", "stroke", "#dfe4e8", "#2f373e"),
    (".frame", "stroke", "#9aa5ae", "#5d6872"),
    (".paper", "fill", "#ffffff", "#14181c"),
    (".card", "fill", "#f3f5f7", "#1d2329"),
    (".gap", "stroke", "#ffffff", "#14181c"),
];

/// The style sheet that the classes above come from; pages of HTML with pictures in them include it too.
pub fn style() -> String {
    let sheet = |is_dark: bool| {
        let pick = |light: &'static str, dark: &'static str| if is_dark { dark } else { light };
        let tones =
            TONES.map(|(what, property, light, dark)| format!("{what}{{{property}:{}}}", pick(light, dark)));
        let series = SERIES.iter().enumerate();
        let series = series.map(|(k, (light, dark))| format!(".k{k}{{color:{}}}", pick(light, dark)));
        tones.into_iter().chain(series).collect::<String>()
    };
    format!("{}@media (prefers-color-scheme:dark){{{}}}", sheet(false), sheet(true))
}

/// Text as SVG and HTML hold it. Control characters, which XML cannot hold, become blanks.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// A number with two decimals at most. What is no number is written as 0: a picture has no place for it.
pub fn number(value: f64) -> String {
    let value = if value.is_finite() { value } else { 0.0 };
    let written = format!("{value:.2}");
    let short = written.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" { "0".to_owned() } else { short.to_owned() }
}

/// Points as `points` of a polyline or polygon holds them.
pub fn points(points: impl IntoIterator<Item = (f64, f64)>) -> String {
    let written: Vec<String> =
        points.into_iter().map(|(x, y)| format!("{},{}", number(x), number(y))).collect();
    written.join(" ")
}

/// What an attribute can be set to.
pub trait Value {
    /// It as an attribute holds it.
    fn written(&self) -> String;
}

impl Value for f64 {
    fn written(&self) -> String {
        number(*self)
    }
}

impl Value for usize {
    fn written(&self) -> String {
        self.to_string()
    }
}

impl Value for &str {
    fn written(&self) -> String {
        escape(self)
    }
}

impl Value for String {
    fn written(&self) -> String {
        escape(self)
    }
}

/// An element under construction: attributes first or later, children in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Element {
    name: &'static str,
    classes: String,
    attributes: String,
    inside: String,
}

impl Element {
    /// An element of this name.
    pub fn new(name: &'static str) -> Self {
        Element { name, classes: String::new(), attributes: String::new(), inside: String::new() }
    }

    /// Sets an attribute; an attribute that is set twice makes a broken picture.
    pub fn set(mut self, name: &str, value: impl Value) -> Self {
        self.attributes += &format!(" {name}=\"{}\"", value.written());
        self
    }

    /// Adds a class.
    pub fn class(mut self, name: &str) -> Self {
        if !self.classes.is_empty() {
            self.classes.push(' ');
        }
        self.classes += &escape(name);
        self
    }

    /// Sets the fill.
    pub fn fill(self, colour: impl Value) -> Self {
        self.set("fill", colour)
    }

    /// Sets the stroke and its width, and no fill: an outline.
    pub fn stroke(self, colour: impl Value, width: f64) -> Self {
        self.fill("none").set("stroke", colour).set("stroke-width", width)
    }

    /// Fills it with the colour of the n-th series; after the last, colours begin again.
    pub fn series(self, k: usize) -> Self {
        self.class(&format!("k{}", k % SERIES.len())).fill("currentColor")
    }

    /// The same for areas that touch: the second round of colours is paler.
    pub fn series_area(self, k: usize) -> Self {
        let area = self.series(k);
        if (k / SERIES.len()).is_multiple_of(2) { area } else { area.set("fill-opacity", 0.5) }
    }

    /// Draws it in the colour of the n-th series; later rounds are dashed.
    pub fn series_line(self, k: usize, width: f64) -> Self {
        let line = self.class(&format!("k{}", k % SERIES.len())).stroke("currentColor", width);
        match k / SERIES.len() % 3 {
            0 => line,
            1 => line.set("stroke-dasharray", "6 3"),
            _ => line.set("stroke-dasharray", "2 3"),
        }
    }

    /// What is said when the pointer rests on it, and by screen readers.
    pub fn titled(self, title: &str) -> Self {
        let title = Element::new("title").words(title);
        self.with(title)
    }

    /// Adds text.
    pub fn words(mut self, text: &str) -> Self {
        self.inside += &escape(text);
        self
    }

    /// Adds a child.
    pub fn with(mut self, child: Element) -> Self {
        self.push(child);
        self
    }

    /// Adds a child.
    pub fn push(&mut self, child: Element) {
        self.inside += &child.to_string();
        // Groups are long: a line for each of their children.
        if matches!(self.name, "g" | "svg") {
            self.inside.push('\n');
        }
    }

    /// Adds children.
    pub fn extend(&mut self, children: impl IntoIterator<Item = Element>) {
        children.into_iter().for_each(|child| self.push(child));
    }
}

/// The attributes of text.
impl Element {
    /// The size of the letters.
    pub fn size(self, size: f64) -> Self {
        self.set("font-size", size)
    }

    /// Bold.
    pub fn bold(self) -> Self {
        self.set("font-weight", "600")
    }

    /// Text that ends where it stands.
    pub fn ends(self) -> Self {
        self.set("text-anchor", "end")
    }

    /// Text centred where it stands.
    pub fn centred(self) -> Self {
        self.set("text-anchor", "middle")
    }
}

impl Display for Element {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "<{}", self.name)?;
        if !self.classes.is_empty() {
            write!(f, " class=\"{}\"", self.classes)?;
        }
        match self.inside.is_empty() {
            true => write!(f, "{}/>", self.attributes),
            false => write!(f, "{}>{}</{}>", self.attributes, self.inside, self.name),
        }
    }
}

/// A group.
pub fn group() -> Element {
    Element::new("g")
}

/// A group moved to a place.
pub fn group_at(x: f64, y: f64) -> Element {
    group().set("transform", format!("translate({} {})", number(x), number(y)))
}

/// A picture inside a page of HTML, which gives it its style and size. `name` is for those who cannot see it.
pub fn inline(x: f64, y: f64, width: f64, height: f64, name: &str) -> Element {
    let corner = [x, y, width, height].map(number);
    Element::new("svg").set("viewBox", corner.join(" ")).set("role", "img").set("aria-label", name)
}

/// A rectangle.
pub fn rect(x: f64, y: f64, width: f64, height: f64) -> Element {
    Element::new("rect").set("x", x).set("y", y).set("width", width).set("height", height)
}

/// A circle.
pub fn circle(x: f64, y: f64, radius: f64) -> Element {
    Element::new("circle").set("cx", x).set("cy", y).set("r", radius)
}

/// A line; it needs a stroke to be seen.
pub fn line(from: (f64, f64), to: (f64, f64)) -> Element {
    Element::new("line").set("x1", from.0).set("y1", from.1).set("x2", to.0).set("y2", to.1)
}

/// Lines from point to point.
pub fn polyline(of: impl IntoIterator<Item = (f64, f64)>) -> Element {
    Element::new("polyline").set("points", points(of))
}

/// A closed shape through points.
pub fn polygon(of: impl IntoIterator<Item = (f64, f64)>) -> Element {
    Element::new("polygon").set("points", points(of))
}

/// Text whose base line begins at a place.
pub fn text(x: f64, y: f64, words: &str) -> Element {
    Element::new("text").set("x", x).set("y", y).words(words)
}

/// A path under construction.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path(String);

impl Path {
    /// One that draws nothing yet.
    pub fn new() -> Self {
        Path::default()
    }

    fn step(mut self, letter: char, numbers: &[f64]) -> Self {
        self.0.push(letter);
        let numbers: Vec<String> = numbers.iter().map(|&value| number(value)).collect();
        self.0 += &numbers.join(" ");
        self
    }

    /// Lifts the pen and goes to a place.
    pub fn to(self, x: f64, y: f64) -> Self {
        self.step('M', &[x, y])
    }

    /// Draws a straight line to a place.
    pub fn line(self, x: f64, y: f64) -> Self {
        self.step('L', &[x, y])
    }

    /// Draws an arc of a circle to a place; `is_large` if it is more than half of it.
    pub fn arc(self, radius: f64, is_large: bool, is_clockwise: bool, x: f64, y: f64) -> Self {
        let flag = |yes: bool| f64::from(u8::from(yes));
        self.step('A', &[radius, radius, 0.0, flag(is_large), flag(is_clockwise), x, y])
    }

    /// Draws a line back to where the pen was set down.
    pub fn close(mut self) -> Self {
        self.0.push('Z');
        self
    }

    /// A closed shape.
    pub fn polygon(corners: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let mut path = Path::new();
        for (k, (x, y)) in corners.into_iter().enumerate() {
            path = if k == 0 { path.to(x, y) } else { path.line(x, y) };
        }
        path.close()
    }

    /// Adds another path behind this one.
    pub fn join(&mut self, other: &Path) {
        self.0 += &other.0;
    }

    /// Whether it draws nothing.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The element that draws it.
    pub fn element(&self) -> Element {
        Element::new("path").set("d", self.0.as_str())
    }
}

/// A whole picture.
#[derive(Clone, Debug)]
pub struct Svg {
    width: f64,
    height: f64,
    root: Element,
    content: Element,
}

impl Svg {
    /// A picture of this size in pixels, on paper. It scales to whatever is made of it.
    pub fn new(width: f64, height: f64) -> Self {
        Svg::scaled(width, height, 1.0)
    }

    /// A picture in units of its own, each of them this many pixels.
    pub fn scaled(width: f64, height: f64, pixels_per_unit: f64) -> Self {
        let root = Element::new("svg")
            .set("xmlns", "http://www.w3.org/2000/svg")
            .set("width", (width * pixels_per_unit).ceil())
            .set("height", (height * pixels_per_unit).ceil())
            .set("viewBox", format!("0 0 {} {}", number(width), number(height)))
            .set("font-family", "system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif")
            .set("role", "img");
        let root = if pixels_per_unit == 1.0 { root.size(12.0) } else { root };
        Svg { width, height, root, content: Element::new("svg") }
    }

    /// Says what it shows, in a few words.
    pub fn titled(mut self, title: &str) -> Self {
        self.root = self.root.titled(title);
        self
    }

    /// Says in a sentence or two what is to be seen, for those who cannot see it.
    pub fn described(mut self, description: &str) -> Self {
        self.root = self.root.with(Element::new("desc").words(description));
        self
    }

    /// Adds an element.
    pub fn push(&mut self, element: Element) {
        self.content.push(element);
    }

    /// Adds elements.
    pub fn extend(&mut self, elements: impl IntoIterator<Item = Element>) {
        self.content.extend(elements);
    }

    /// The picture as a file holds it.
    pub fn finish(self) -> String {
        let mut root = self.root;
        // `>` is no selector here, so the sheet needs no escaping.
        root.inside += &format!("<style>{}</style>\n", style());
        root.push(rect(0.0, 0.0, self.width, self.height).class("paper"));
        root.inside += &self.content.inside;
        format!("{root}\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_never_odd() {
        let written = [0.0, -0.001, 1.0, 1.5, -2.345, 1e6, f64::NAN, f64::INFINITY].map(number);
        assert_eq!(written, ["0", "0", "1", "1.5", "-2.35", "1000000", "0", "0"]);
    }

    #[test]
    fn text_cannot_break_out() {
        let nasty = "</text><script>&\"'\u{7}";
        let picture = {
            let mut svg = Svg::new(10.0, 10.0).titled(nasty).described(nasty);
            svg.push(text(0.0, 0.0, nasty).set("data-name", nasty).class(nasty));
            svg.finish()
        };
        assert!(!picture.contains("<script") && !picture.contains('\u{7}'), "{picture}");
        assert_eq!(picture.matches("&lt;/text&gt;&lt;script&gt;&amp;&quot;&#39; ").count(), 5);
    }

    #[test]
    fn the_same_calls_give_the_same_bytes() {
        let path = Path::polygon([(0.0, 0.0), (1.0, 0.5), (1.0, 1.0)]);
        assert_eq!(
            path.element().series(9).to_string(),
            "<path class=\"k1\" d=\"M0 0L1 0.5L1 1Z\" fill=\"currentColor\"/>"
        );
        assert_eq!(
            group_at(3.0, 1.25).with(circle(1.0, 2.0, 0.333)).to_string(),
            "<g transform=\"translate(3 1.25)\"><circle cx=\"1\" cy=\"2\" r=\"0.33\"/>\n</g>"
        );
    }
}
