package gatebook.api.flow;

import java.util.List;

/** A result of reading a schema. */
sealed interface SchemaReading {

  /** Inputs can be checked with it. */
  record Usable(CompiledSchema schema) implements SchemaReading {}

  /** They cannot, for these reasons. */
  record Unusable(List<String> reasons) implements SchemaReading {
    public Unusable {
      reasons = List.copyOf(reasons);
    }

    public Unusable(String reason) {
      this(List.of(reason));
    }
  }
}
