export { sample as fakeMember, sampleTool as fakeTool, sampleView as fakeView, type Sample as FakeMember, type SampleTool as FakeTool } from "../../testing/samples";
