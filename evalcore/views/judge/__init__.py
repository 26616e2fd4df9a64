"""The Judge page: queue, task, messages of the form, agreement."""
