// A test that failed and passed when it was run once more is named, for somebody to look into.
export default class Unsteady {
  onTestCaseResult(test) {
    if (test.diagnostic()?.flaky) console.log(`passed only when run again: ${test.module.relativeModuleId} > ${test.fullName}`);
  }
}
