package gatebook.api.node;

import java.io.BufferedReader;
import java.io.IOException;

/** What a caller reads from a stream of server-sent events. */
final class EventStream {
  private static final String DATA = "data: ";

  private EventStream() {}

  /** The data of the next event that has any; empty when the stream has ended. */
  static String data(BufferedReader stream) throws IOException {
    String line = stream.readLine();
    while (line != null && !(line.startsWith(DATA) && line.length() > DATA.length())) {
      line = stream.readLine();
    }
    return line == null ? "" : line.substring(DATA.length());
  }
}
