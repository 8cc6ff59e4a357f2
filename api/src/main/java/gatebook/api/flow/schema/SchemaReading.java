package gatebook.api.flow.schema;

import java.util.List;

/** A result of reading a schema. */
public sealed interface SchemaReading {

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
