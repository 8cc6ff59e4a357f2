package gatebook.api.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/** The result of one run of a command. */
public record CommandRun(int code, String out, String err) {

  /**
   * Runs a command in this process.
   *
   * @param server the options that select the server; added after the arguments
   */
  public static CommandRun of(Object command, List<String> server, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(server);
    int code =
        new CommandLine(command)
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(all.toArray(String[]::new));
    return new CommandRun(code, out.toString(), err.toString());
  }
}
