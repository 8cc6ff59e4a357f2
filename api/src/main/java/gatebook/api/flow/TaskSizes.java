package gatebook.api.flow;

/**
 * The largest sizes of a task.
 *
 * @param inputsBytesMax of its inputs, in bytes of UTF-8
 * @param definitionBytesMax of the whole task, in bytes of UTF-8
 */
public record TaskSizes(int inputsBytesMax, int definitionBytesMax) {
  public static final TaskSizes DEFAULT = new TaskSizes(256 * 1024, 512 * 1024);
}
