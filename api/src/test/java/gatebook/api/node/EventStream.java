package gatebook.api.node;

import java.io.BufferedReader;
import java.io.IOException;

/** Reads a stream of server-sent events as a caller does. */
public final class EventStream {
  private static final String DATA = "data: ";

  private EventStream() {}

  /** The data of the next event that has data; empty at the end of the stream. */
  public static String data(BufferedReader stream) throws IOException {
    String line = stream.readLine();
    while (line != null && !(line.startsWith(DATA) && line.length() > DATA.length())) {
      line = stream.readLine();
    }
    return line == null ? "" : line.substring(DATA.length());
  }
}
