import { describeOrchestrator } from './conformance.ts';
import { openLocalStage } from './local-stage.ts';

describeOrchestrator('local', () => openLocalStage());
