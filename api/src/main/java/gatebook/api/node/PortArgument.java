package gatebook.api.node;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a port argument of the command line. */
final class PortArgument implements ITypeConverter<Integer> {

  private static final int MAX = 65_535;

  @Override
  public Integer convert(String text) {
    try {
      int port = Integer.parseInt(text);
      if (port >= 0 && port <= MAX) {
        return port;
      }
    } catch (NumberFormatException _) {
      // refused below
    }
    throw new TypeConversionException("'%s' is no port from 0 to %d".formatted(text, MAX));
  }
}
