package gatebook.command.rules.file;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Converts positions in a text to lines and columns, both counted from 1, columns in characters.
 */
final class TextPositions {

  private final int[] starts;

  TextPositions(int[] text) {
    List<Integer> found = new ArrayList<>(List.of(0));
    for (int i = 0; i < text.length; i++) {
      boolean crlf = text[i] == '\r' && i + 1 < text.length && text[i + 1] == '\n';
      if (text[i] == '\n' || (text[i] == '\r' && !crlf)) {
        found.add(i + 1);
      }
    }
    starts = found.stream().mapToInt(Integer::intValue).toArray();
  }

  record Place(int line, int column) {}

  Place of(int index) {
    int found = Arrays.binarySearch(starts, index);
    int line = found >= 0 ? found : -found - 2;
    return new Place(line + 1, index - starts[line] + 1);
  }
}
