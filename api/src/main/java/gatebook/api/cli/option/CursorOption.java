package gatebook.api.cli.option;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.cli.text.TextCells;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --cursor}: where a list continues. */
public final class CursorOption {

  @Option(
      names = "--cursor",
      paramLabel = "C",
      description = "Continues after the page that ended with this cursor.")
  private @Nullable String cursor;

  public boolean isGiven() {
    return cursor != null;
  }

  /** Adds the given cursor to a method's params. */
  public void addTo(ObjectNode params) {
    if (cursor != null) {
      params.put("cursor", cursor);
    }
  }

  /** The note below a page that is not the last one. */
  public static List<String> notes(JsonNode result) {
    return result.has("cursor")
        ? List.of("and older ones: --cursor " + TextCells.of(result.path("cursor")))
        : List.of();
  }
}
