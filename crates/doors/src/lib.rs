//! Every capability as JSON lines: one question in, one answer out.
