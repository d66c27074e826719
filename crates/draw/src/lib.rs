//! Pictures of minds, maps and matches: one way to write SVG and pages.
