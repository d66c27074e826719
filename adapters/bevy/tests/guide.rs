//! The guide shows what is built and run.

#[test]
fn the_first_page_of_the_guide_is_the_example_of_that_name() {
    let guide = include_str!("../../../docs/guides/bevy.md");
    let shown = guide.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let (_, example) = include_str!("../examples/first_page.rs").split_once("\n\n").unwrap();
    assert_eq!(example, shown);
}
