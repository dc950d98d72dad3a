export { sample as mockMember, sampleTool as mockTool, sampleView as mockView, type Sample as MockMember, type SampleTool as MockTool } from "../../testing/samples";
