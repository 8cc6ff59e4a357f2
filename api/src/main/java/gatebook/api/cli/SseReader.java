package gatebook.api.cli;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * Server-sent events, put together of their lines.
 *
 * <p>Not to be shared between connections: what one of them left unfinished is nothing.
 */
final class SseReader {
  private OptionalLong position = OptionalLong.empty();
  private String data = "";

  /**
   * What a line completes.
   *
   * @param position how far the sender has come
   * @param data what is told of an event; empty when only the position is told
   */
  record Block(OptionalLong position, String data) {}

  /** Takes the next line; there is something when it was the last of its block. */
  Optional<Block> line(String line) {
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
