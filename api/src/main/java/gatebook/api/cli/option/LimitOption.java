package gatebook.api.cli.option;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --limit}: how many rows a query returns. */
public final class LimitOption {

  @Option(names = "--limit", paramLabel = "N", description = "The maximum number of rows.")
  private @Nullable Integer limit;

  public boolean isGiven() {
    return limit != null;
  }

  /** Adds the given limit to a method's params. */
  public void addTo(ObjectNode params) {
    if (limit != null) {
      params.put("limit", limit);
    }
  }
}
