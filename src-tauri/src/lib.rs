//! Easel in a window.
