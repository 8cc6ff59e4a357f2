package gatebook.query.calls;

import gatebook.query.terms.TermIndex;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The indexes of terms in the view of calls, to compare their content. */
public final class CallIndexes {
  private CallIndexes() {}

  /** The index that a table belongs to. */
  public static Optional<TermIndex> ofTable(String table) {
    String name = table.toLowerCase(Locale.ROOT).replace("_chunks", "");
    return Stream.of(CallKeys.INDEX, CallBlocks.INDEX)
        .filter(index -> index.name().equals(name))
        .findFirst();
  }
}
