package gatebook.events.call;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;

/**
 * JSON without the limits of a parser. Limits are enforced where messages are received; behind that
 * everything that came in must be readable. Numbers of any length are read, so code that computes
 * with them needs a limit of its own.
 */
public final class UnlimitedJson {

  private UnlimitedJson() {}

  /** A new factory of parsers. Many names with one hash make it slower and never fail it. */
  public static JsonFactory factory() {
    return JsonFactory.builder()
        .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
        .streamReadConstraints(
            StreamReadConstraints.builder()
                .maxNameLength(Integer.MAX_VALUE)
                .maxNumberLength(Integer.MAX_VALUE)
                .maxStringLength(Integer.MAX_VALUE)
                .build())
        .build();
  }
}
