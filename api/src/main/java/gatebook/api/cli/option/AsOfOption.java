package gatebook.api.cli.option;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --as-of}: the time up to which a query reads the record. */
public final class AsOfOption {

  @Option(
      names = "--as-of",
      paramLabel = "T",
      converter = TimeArgument.class,
      description = "Uses what was recorded up to this time: RFC 3339, or how long ago, as in 2h.")
  private @Nullable Instant asOf;

  public boolean isGiven() {
    return asOf != null;
  }

  /** Adds the given time to a method's params. */
  public void addTo(ObjectNode params) {
    if (asOf != null) {
      params.put("asOf", asOf.toString());
    }
  }
}
