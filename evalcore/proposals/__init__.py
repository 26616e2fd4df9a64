"""What shall become of a document that others also write: written anew, changed, or left."""
