//! Pages of HTML around pictures. A page needs nothing but itself: no scripts, fonts or pictures from elsewhere.

use crate::svg::{escape, style};

/// A page under construction.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// Its title, which is also its first heading.
    pub title: String,
    /// Styles beside those of every page.
    pub style: &'static str,
    /// What stands on it below the heading, as HTML.
    pub body: String,
    /// A script that runs when all of it is there.
    pub script: String,
}

impl Page {
    /// The page as a file holds it. It follows the reader's choice of light or dark, and fits a telephone.
    pub fn finish(&self) -> String {
        let title = escape(&self.title);
        let script = match self.script.as_str() {
            "" => String::new(),
            // `</` inside a script would end it; `<\/` means the same to it.
            script => format!("<script>{}</script>\n", script.replace("</", "<\\/")),
        };
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
             <style>\n{}{}\n{}</style>\n</head>\n<body>\n<h1>{title}</h1>\n{}{script}</body>\n</html>\n",
            include_str!("html.css"),
            style(),
            self.style,
            self.body
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_cannot_be_ended_by_their_data() {
        let page = Page { title: "a < b".into(), script: "const a = '</script>';".into(), ..Page::default() };
        let page = page.finish();
        assert_eq!(page.matches("</script>").count(), 1);
        assert_eq!(page.matches("a &lt; b").count(), 2);
    }
}
