package gatebook.api.cli;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads server-sent events from the lines of one connection.
 *
 * <p>Use one for each connection: a block that a lost connection left unfinished is dropped.
 */
final class SseReader {
  private OptionalLong position = OptionalLong.empty();
  private String data = "";

  /**
   * A block that its last line has completed.
   *
   * @param position the position that the sender has reached
   * @param data the data of an event; empty when the block has a position only
   */
  record Block(OptionalLong position, String data) {}

  /** Takes the next line; returns a block when the line was the last of it. */
  Optional<Block> accept(String line) {
    if (line.isEmpty()) {
      Block block = new Block(position, data);
      position = OptionalLong.empty();
      data = "";
      return Optional.of(block);
    }
    if (line.startsWith("id: ")) {
      position = number(line.substring("id: ".length()));
    } else if (line.startsWith("data: ")) {
      data = line.substring("data: ".length());
    }
    return Optional.empty();
  }

  private static OptionalLong number(String text) {
    return text.matches("\\d{1,18}") ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
  }
}
