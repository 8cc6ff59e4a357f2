package gatebook.api.flow.read;

import gatebook.command.rules.GatewayLimits;

/**
 * The largest sizes of a task.
 *
 * @param inputsBytesMax of its inputs, in bytes of UTF-8
 * @param definitionBytesMax of the whole task without its dependencies, in bytes of UTF-8
 */
record TaskSizes(int inputsBytesMax, int definitionBytesMax) {
  static TaskSizes of(GatewayLimits gatewayLimits) {
    return new TaskSizes(
        gatewayLimits.treeInputsBytesMax(), gatewayLimits.treeDefinitionBytesMax());
  }
}
