"""How a component is declared, found, parsed, printed and described."""

from heldout.catalogue.namespaces import namespace

__getattr__, __dir__ = namespace(__name__)  # lazily: `import heldout` imports this package
