package gatebook.api.cli.option;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the period that a query covers. */
public final class PeriodOptions {

  @Option(
      names = "--since",
      paramLabel = "T",
      converter = TimeArgument.class,
      description = "From this time on: RFC 3339, or how long ago, as in 90s, 2h, 7d.")
  private @Nullable Instant since;

  @Option(
      names = "--until",
      paramLabel = "T",
      converter = TimeArgument.class,
      description = "Before this time, given in the same ways.")
  private @Nullable Instant until;

  /** Adds the given times to a method's params. */
  public void addTo(ObjectNode params) {
    if (since != null) {
      params.put("since", since.toString());
    }
    if (until != null) {
      params.put("until", until.toString());
    }
  }
}
