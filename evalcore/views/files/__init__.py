"""Files of a run or a workspace, within bounds and never as markup."""
