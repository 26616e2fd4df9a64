"""People are shown by their names, and documents hold their ids."""

from evalcore.judging.storing.judges import remember_judge
from evalcore.judging.storing.names import people, person


def test_a_name_is_as_it_was_given_here() -> None:
    """With its accents, which the id has not."""
    judge = remember_judge("Ána McKay", None)
    assert judge.id.startswith("ana-mckay-")
    assert person(judge.id) == "Ána McKay"


def test_an_id_from_elsewhere_tells_the_name() -> None:
    """One that evalcore did not make is the name itself."""
    assert person("mara-4c1e") == "Mara"
    assert person("jean-paul-00ff") == "Jean Paul"
    assert person("human:reviewer-2") == "human:reviewer-2"


def test_two_of_one_name_keep_their_ids() -> None:
    """Else one could not tell who said what."""
    names = people(["mara-4c1e", "mara-77aa", "jonas-9b07"])
    assert names == {"mara-4c1e": "mara-4c1e", "mara-77aa": "mara-77aa", "jonas-9b07": "Jonas"}
