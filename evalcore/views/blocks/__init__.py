"""The blocks that pages are made of: computed here, drawn by `panels/blocks.js`."""
