package gatebook.api.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/** What a command came to. */
public record Ended(int code, String out, String err) {

  /**
   * Runs a command, as its users do but for the process.
   *
   * @param server the options that say which server is asked; they stand behind the others
   */
  public static Ended of(Object command, List<String> server, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(server);
    int code =
        new CommandLine(command)
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(all.toArray(String[]::new));
    return new Ended(code, out.toString(), err.toString());
  }
}
