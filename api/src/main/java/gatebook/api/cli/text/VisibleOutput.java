package gatebook.api.cli.text;

import gatebook.api.log.VisibleText;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Output of a command to a standard stream, in which every character is visible. Of all sequences
 * that control a terminal it lets through only those that the commands use: colours, and erasing
 * the rest of a line.
 */
public final class VisibleOutput extends Writer {

  private static final Pattern OURS = Pattern.compile("\u001b\\[(?:\\d+m|K)");

  private final PrintStream to;

  private VisibleOutput(PrintStream to) {
    this.to = to;
  }

  public static PrintWriter to(PrintStream stream) {
    return new PrintWriter(new VisibleOutput(stream), true);
  }

  @Override
  public void write(char[] chars, int from, int length) {
    String text = new String(chars, from, length);
    Matcher ours = OURS.matcher(text);
    int written = 0;
    while (ours.find()) {
      to.print(VisibleText.lines(text.substring(written, ours.start())));
      to.print(ours.group());
      written = ours.end();
    }
    to.print(VisibleText.lines(text.substring(written)));
  }

  /** Fails once the stream is closed, since a command such as a tail ends then. */
  @Override
  public void flush() throws IOException {
    if (to.checkError()) {
      throw new IOException("the stream is closed");
    }
  }

  @Override
  public void close() throws IOException {
    flush();
  }
}
