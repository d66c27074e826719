//! The README's commands and the answers to mistakes, run and compared.

#[test]
fn commands_answer_as_written() {
    trycmd::TestCases::new()
        // Nothing is built on demand here.
        .env("CARGO", "")
        .case("../../README.md")
        .case("../../docs/guides/arena.md")
        .case("../../docs/guides/characters.md")
        // Small runs of the experiments whose tables are documented there.
        .case("../../docs/results.md")
        .case("tests/cmd/*.md")
        .case("tests/cmd/*.toml");
}
